/** Which google-adk, and which back end, the answers come from: language status and status bar. */

import {
  type Disposable,
  LanguageStatusSeverity,
  StatusBarAlignment,
  type TextEditor,
  type Uri,
  commands,
  languages,
  window,
  workspace,
} from "vscode";
import { NAME, log } from "./log";
import type { ServerStatus } from "./server";
import type { Backend } from "./settings";
import { isTrusted } from "./vscodeapi";

export const BACKENDS: Readonly<Record<Backend, string>> = { gemini: "Gemini API", vertex: "Vertex AI" };

const CODE_SCHEMES: ReadonlySet<string> = new Set(["file", "untitled", "vscode-notebook-cell"]);

export class Status implements Disposable {
  private readonly byFolder = new Map<string | null, ServerStatus>();
  private readonly told = new Set<string>();
  private problem: string | undefined;
  private idle = true;
  private readonly item = languages.createLanguageStatusItem("adkToolLens.status", { language: "python" });
  private readonly bar = window.createStatusBarItem("adkToolLens.status", StatusBarAlignment.Right, 90);
  private readonly listener = window.onDidChangeActiveTextEditor(() => this.show());
  private editor: TextEditor | undefined;

  constructor() {
    this.item.name = NAME;
    this.bar.name = NAME;
    this.show();
  }

  /** A server is being started. */
  begin(): void {
    this.idle = false;
    this.show();
  }

  /** Takes over what the server said, and says once that a folder has no google-adk. */
  update(status: ServerStatus): void {
    log.info(`status: ${status.state}, ${text(status)}, ${status.interpreter} (${status.folder ?? "all folders"})`);
    this.problem = undefined;
    this.byFolder.set(status.folder, status);
    this.show();
    if (status.state === "no-adk") void this.tellOnce(status);
  }

  /** There is no server; nothing that was known about folders holds any more. */
  fail(problem: string): void {
    this.problem = problem;
    this.byFolder.clear();
    this.show();
  }

  all(): readonly ServerStatus[] {
    return [...this.byFolder.values()];
  }

  for(uri: Uri | undefined): ServerStatus | undefined {
    const folder = uri && workspace.getWorkspaceFolder(uri)?.uri.toString();
    return (folder === undefined ? undefined : this.byFolder.get(folder)) ?? this.byFolder.get(null) ?? this.all()[0];
  }

  dispose(): void {
    for (const one of [this.item, this.bar, this.listener]) one.dispose();
  }

  private show(): void {
    if (this.idle) return this.showIdle();
    const editor = this.codeEditor();
    const status = this.for(editor?.document.uri);
    const label = this.problem === undefined ? (status ? text(status) : "starting…") : "not running";
    const bad = this.problem !== undefined || status?.state === "error" || status?.state === "no-adk";
    this.item.text = label;
    this.item.detail = this.problem ?? (status ? detail(status) : NAME);
    this.item.busy = this.problem === undefined && (status === undefined || status.state === "starting");
    this.item.severity = bad ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    this.item.command = bad
      ? { command: "adkToolLens.selectInterpreter", title: "Choose Interpreter" }
      : { command: "adkToolLens.selectBackend", title: "Change Back End" };
    this.bar.text = `${bad ? "$(warning)" : this.item.busy ? "$(loading~spin)" : "$(eye)"} ${label}`;
    this.bar.tooltip = `${NAME}: ${this.item.detail}`;
    this.bar.command = this.item.command.command;
    if (editor?.document.languageId === "python") this.bar.show();
    else this.bar.hide();
  }

  /** Where nothing uses google-adk, only who opens the list of the language's tools reads of us. */
  private showIdle(): void {
    this.item.text = "not started";
    this.item.detail = `${NAME}: nothing in this workspace uses google-adk`;
    this.item.command = { command: "adkToolLens.restart", title: "Start" };
  }

  /** The editor with code: a log or a preview that takes the focus does not change what the status is about. */
  private codeEditor(): TextEditor | undefined {
    const active = window.activeTextEditor;
    const aside = active === undefined || !CODE_SCHEMES.has(active.document.uri.scheme);
    const still = this.editor !== undefined && window.visibleTextEditors.includes(this.editor);
    if (!aside || !still) this.editor = active;
    return this.editor;
  }

  private async tellOnce(status: ServerStatus): Promise<void> {
    const key = `${status.folder}\0${status.interpreter}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    const open = "Open Documentation";
    const choose = isTrusted() ? "Choose Interpreter" : "Manage Workspace Trust";
    const reason = isTrusted() ? "" : " The workspace is not trusted, so its own interpreter is not started.";
    const message = (status.message || `${status.interpreter} has no google-adk.`) + reason;
    const chosen = await window.showWarningMessage(message, choose, open);
    if (chosen === choose) await commands.executeCommand(isTrusted() ? "adkToolLens.selectInterpreter" : "workbench.trust.manage");
    if (chosen === open) await commands.executeCommand("extension.open", "adk-tool-lens.adk-tool-lens");
  }
}

function text(status: ServerStatus): string {
  switch (status.state) {
    case "ready":
      return `ADK ${status.adkVersion ?? "?"} · ${BACKENDS[status.backend]}`;
    case "starting":
      return "ADK starting…";
    case "no-adk":
      return "no google-adk";
    case "error":
      return "ADK not answering";
  }
}

function detail(status: ServerStatus): string {
  return [status.message, status.interpreter].filter((one) => one !== "").join(" · ") || NAME;
}
