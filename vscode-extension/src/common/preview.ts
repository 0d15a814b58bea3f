/** "Show what the model sees": a read-only document beside the editor that follows the cursor. */

import {
  CancellationTokenSource,
  CodeLens,
  type CodeLensProvider,
  Disposable,
  EventEmitter,
  OverviewRulerLane,
  Range,
  type TextDocument,
  type TextDocumentContentProvider,
  type TextEditor,
  ThemeColor,
  Uri,
  ViewColumn,
  commands,
  env,
  languages,
  window,
  workspace,
} from "vscode";
import { errorText, log } from "./log";
import type { Server } from "./server";
import { type Backend, type Provider, settingsFor } from "./settings";

/** The answer to `adkToolLens/preview`. */
export interface Preview {
  readonly title: string;
  /** By which google-adk, back end and form, in short. */
  readonly detail?: string;
  /** What it was made for. */
  readonly backend?: Backend;
  readonly provider?: Provider;
  readonly languageId: string;
  readonly text: string;
  /** The key of the tool or agent, valid for as long as it is there. */
  readonly subject?: string;
  /** What a reader must know of a JSON text, which has no room for it. */
  readonly notes?: readonly string[];
  /** All declarations as JSON, for the clipboard. */
  readonly json?: string | null;
  /** The text for the file on disk, when it was asked for and there is one. */
  readonly saved?: string;
  readonly changedLines?: readonly number[];
  readonly removedBefore?: readonly number[];
}

/** What a preview is made for; what is not given is as in the settings. */
export interface Choice {
  readonly backend?: Backend;
  readonly provider?: Provider;
  readonly interpreter?: string;
}

/** A tool or agent in a file: the one with this key, else the one at the cursor. */
export interface Target {
  readonly uri: string;
  readonly subject?: string;
}

/** A fixed preview, for a diff: everything that the request needs is in the query of its URI. */
interface Pinned extends Choice, Target {
  readonly saved?: boolean;
}

export const SCHEME = "adk-tool-lens";
/** JSON under a name of its own: long descriptions wrap, and no schema of JSON files is looked for. */
const JSON_LANGUAGE = "adk-declaration";
const DELAY_MS = 120;
const LIVE = Uri.from({ scheme: SCHEME, path: "/What the model sees" });
const NOTHING: Preview = {
  title: "",
  languageId: "markdown",
  text: "Put the cursor on a tool or an agent, and this shows what the model is told.\n",
};

export class PreviewDocument implements TextDocumentContentProvider, CodeLensProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private readonly lensesChanged = new EventEmitter<void>();
  private shown: Preview = NOTHING;
  private target: Target | undefined;
  private own: Choice = {};
  private timer: NodeJS.Timeout | undefined;
  private request = new CancellationTokenSource();
  private readonly disposables: Disposable[];
  private readonly changedLine = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor("diffEditor.insertedLineBackground"),
    overviewRulerColor: new ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: OverviewRulerLane.Full,
  });
  private readonly removedLine = window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth: "2px 0 0 0",
    borderStyle: "solid",
    borderColor: new ThemeColor("editorGutter.deletedBackground"),
  });

  readonly onDidChange = this.changed.event;
  readonly onDidChangeCodeLenses = this.lensesChanged.event;

  constructor(private readonly server: Server) {
    this.disposables = [
      this.changed,
      this.lensesChanged,
      this.changedLine,
      this.removedLine,
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      languages.registerCodeLensProvider({ scheme: SCHEME }, this),
      window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor)),
      window.onDidChangeActiveTextEditor((editor) => editor && this.follow(editor)),
      window.onDidChangeVisibleTextEditors(() => this.mark()),
      workspace.onDidSaveTextDocument((document) => this.saved(document)),
      workspace.onDidChangeTextDocument((event) => this.edited(event.document)),
      workspace.onDidOpenTextDocument((document) => void wrapped(document)),
    ];
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    if (uri.query === "") return this.shown.text;
    const pinned = JSON.parse(uri.query) as Pinned;
    const answer = await this.ask(pinned);
    return (pinned.saved ? answer?.saved : answer?.text) ?? "There is no such tool or agent any more.\n";
  }

  /** The line above the text: what it is about, what to know of it, and what can be done. */
  provideCodeLenses(document: TextDocument): CodeLens[] {
    if (document.uri.toString() !== LIVE.toString() || this.shown.title === "") return [];
    const top = new Range(0, 0, 0, 0);
    const changes = this.changes();
    return [
      new CodeLens(top, {
        title: this.shown.detail ?? this.shown.title,
        tooltip: this.shown.title,
        command: "",
      }),
      ...(this.shown.notes ?? []).map((note) => new CodeLens(top, { title: `$(warning) ${note}`, command: "" })),
      ...(changes === 0
        ? []
        : [new CodeLens(top, {
            title: `${changes} not saved`,
            tooltip: `${changes} ${changes === 1 ? "change" : "changes"} since the last save`,
            command: "adkToolLens.compareWithSaved",
          })]),
      new CodeLens(top, { title: "Change…", command: "adkToolLens.changePreview" }),
      new CodeLens(top, { title: "Compare…", command: "adkToolLens.comparePreview" }),
      new CodeLens(top, { title: "Copy", command: "adkToolLens.copyPreview" }),
    ];
  }

  /** Opens the preview, of a certain tool or agent if one is named, else of what is under the cursor. */
  async open(uri?: string, subject?: string): Promise<void> {
    const editor = window.activeTextEditor;
    if (uri !== undefined && subject !== undefined) {
      await workspace.openTextDocument(Uri.parse(uri));
      await this.refresh({ uri, subject });
    } else if (editor?.document.languageId === "python") {
      await this.refresh({ uri: editor.document.uri.toString() }, editor);
    }
    if (!this.isVisible()) {
      const document = await workspace.openTextDocument(LIVE);
      await window.showTextDocument(document, {
        viewColumn: ViewColumn.Beside,
        preserveFocus: true,
        preview: false,
      });
    }
    await this.dress();
  }

  /** Asks again for what is shown, for instance after another back end was chosen in the settings. */
  update(): void {
    if (this.target !== undefined && this.isVisible()) this.soon(this.target);
    for (const { uri } of pinnedDocuments()) this.changed.fire(uri);
  }

  /** What the preview is made for, with what holds where nothing was chosen. */
  get choice(): Choice {
    const { backend, provider } = this.shown;
    return { ...(backend && { backend }), ...(provider && { provider }), ...this.own };
  }

  get current(): Target | undefined {
    return this.target?.subject === undefined ? undefined : this.target;
  }

  /** Looks through other eyes: only in the preview, the settings stay. */
  async choose(choice: Choice): Promise<void> {
    this.own = { ...this.own, ...choice };
    if (this.target !== undefined) await this.refresh(this.target);
  }

  async copy(): Promise<void> {
    const json = this.shown.json ?? (this.shown.languageId === "json" ? this.shown.text : undefined);
    if (json === undefined) return void window.showInformationMessage("There is no declaration to copy.");
    await env.clipboard.writeText(json);
    window.setStatusBarMessage("$(check) Copied as JSON", 3000);
  }

  /** Opens VS Code's own diff of two previews of the tool or agent that is shown. */
  async compare(left: Choice & { saved?: boolean }, right: Choice, names: readonly [string, string]): Promise<void> {
    const target = this.current;
    if (target?.subject === undefined) return;
    const name = target.subject.replace(/^\w+:/, "");
    await commands.executeCommand(
      "vscode.diff",
      this.pin({ ...target, ...left }, `${name}, ${names[0]}`),
      this.pin({ ...target, ...right }, `${name}, ${names[1]}`),
      `${name}: ${names[0]} ↔ ${names[1]}`,
    );
  }

  async compareWithSaved(): Promise<void> {
    await this.compare({ ...this.choice, saved: true }, this.choice, ["last save", "now"]);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.request.dispose();
    for (const one of this.disposables) one.dispose();
  }

  // ------------------------------------------------------------ following

  private follow(editor: TextEditor): void {
    if (editor.document.languageId !== "python") return;
    this.soon({ uri: editor.document.uri.toString() }, editor);
  }

  private edited(document: TextDocument): void {
    const editor = window.activeTextEditor;
    if (editor?.document === document) this.follow(editor);
    for (const { uri } of pinnedDocuments()) {
      if ((JSON.parse(uri.query) as Pinned).uri === document.uri.toString()) this.changed.fire(uri);
    }
  }

  private saved(document: TextDocument): void {
    if (this.target?.uri === document.uri.toString()) this.soon(this.target);
  }

  private soon(target: Target, editor?: TextEditor): void {
    if (!this.isVisible()) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(target, editor), DELAY_MS);
  }

  private async refresh(target: Target, editor?: TextEditor): Promise<void> {
    this.request.cancel();
    const request = (this.request = new CancellationTokenSource());
    const answer = await this.ask({ ...target, ...this.own }, editor, request);
    // Between two tools the last one stays in view; a server that is away changes nothing either.
    if (!answer || request.token.isCancellationRequested) return;
    this.shown = answer;
    this.target = { uri: target.uri, ...(answer.subject === undefined ? {} : { subject: answer.subject }) };
    this.changed.fire(LIVE);
    this.lensesChanged.fire();
    await this.dress();
  }

  private async ask(
    asked: Pinned,
    editor?: TextEditor,
    request = new CancellationTokenSource(),
  ): Promise<Preview | null | undefined> {
    const { uri, ...choice } = asked;
    const document = workspace.textDocuments.find((one) => one.uri.toString() === uri);
    const { provider } = settingsFor(workspace.getWorkspaceFolder(Uri.parse(uri)));
    const cursor = editor?.selection.active;
    try {
      return await this.server.running?.sendRequest<Preview | null>(
        "adkToolLens/preview",
        {
          ...(provider && { provider }),
          saved: document?.isDirty === true,
          ...choice,
          textDocument: { uri },
          ...(cursor === undefined ? {} : { position: { line: cursor.line, character: cursor.character } }),
        },
        request.token,
      );
    } catch (error) {
      if (!request.token.isCancellationRequested) log.warn(`preview: ${errorText(error)}`);
      return undefined;
    }
  }

  // ------------------------------------------------------------ showing

  private pin(pinned: Pinned, label: string): Uri {
    const ending = this.shown.languageId === "json" ? "json" : "md";
    return Uri.from({ scheme: SCHEME, path: `/${label.replaceAll("/", " ")}.${ending}`, query: JSON.stringify(pinned) });
  }

  private isVisible(): boolean {
    return window.visibleTextEditors.some((one) => one.document.uri.toString() === LIVE.toString());
  }

  private changes(): number {
    return (this.shown.changedLines?.length ?? 0) + (this.shown.removedBefore?.length ?? 0);
  }

  /** The language of the text, and the marks in it. */
  private async dress(): Promise<void> {
    const document = workspace.textDocuments.find((one) => one.uri.toString() === LIVE.toString());
    const language = this.shown.languageId === "json" ? JSON_LANGUAGE : this.shown.languageId;
    if (document && document.languageId !== language) await languages.setTextDocumentLanguage(document, language);
    this.mark();
  }

  private mark(): void {
    const lines = (numbers: readonly number[] | undefined, text: string) =>
      (numbers ?? []).map((line) => ({ range: new Range(line, 0, line, 0), hoverMessage: text }));
    for (const editor of window.visibleTextEditors) {
      if (editor.document.uri.toString() !== LIVE.toString()) continue;
      editor.setDecorations(this.changedLine, lines(this.shown.changedLines, "Changed since the last save"));
      editor.setDecorations(this.removedLine, lines(this.shown.removedBefore, "Lines before this one are gone since the last save"));
    }
  }
}

/** The two sides of open diffs. */
function pinnedDocuments(): readonly TextDocument[] {
  return workspace.textDocuments.filter((one) => one.uri.scheme === SCHEME && one.uri.query !== "");
}

async function wrapped(document: TextDocument): Promise<void> {
  if (document.uri.scheme === SCHEME && document.languageId === "json") {
    await languages.setTextDocumentLanguage(document, JSON_LANGUAGE);
  }
}
