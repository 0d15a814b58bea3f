/** The commands of the palette. */

import { release } from "node:os";
import {
  ConfigurationTarget,
  type Disposable,
  type QuickPickItem,
  type WorkspaceFolder,
  commands,
  env,
  extensions,
  version,
  window,
  workspace,
} from "vscode";
import type { AgentsView, Node } from "./agents";
import { changePreview, comparePreview } from "./choices";
import { log, serverLog } from "./log";
import type { PreviewDocument } from "./preview";
import { PYTHON_EXTENSION, venvs } from "./python";
import { type Server, configuration } from "./server";
import { type Backend, settingsFor } from "./settings";
import { BACKENDS, type Status } from "./status";
import { SECTION, folders } from "./vscodeapi";

export const FIX_ALL = "source.fixAll.adk-tool-lens";

export interface Parts {
  readonly server: Server;
  readonly status: Status;
  readonly preview: PreviewDocument;
  readonly agents: AgentsView;
  readonly version: string;
}

export function registerCommands(parts: Parts): Disposable[] {
  const { agents, preview, server } = parts;
  /** Who runs one of our commands wants a server, whatever the workspace looks like. */
  const started = () => server.begin("a command was run");
  const handlers: Record<string, (...given: never[]) => unknown> = {
    restart: () => (server.isWanted ? server.restart("asked for") : started()),
    showServerLog: () => serverLog().show(),
    showLog: () => log.show(),
    debugInformation: () => debugInformation(parts),
    fixAll: async () => {
      await started();
      await commands.executeCommand("editor.action.sourceAction", { kind: FIX_ALL, apply: "first" });
    },
    selectBackend: () => {
      void started();
      return selectBackend(parts.status);
    },
    selectInterpreter: () => {
      void started();
      return selectInterpreter();
    },
    showPreview: async (uri?: unknown, subject?: unknown) => {
      await started();
      await (typeof uri === "string" && typeof subject === "string" ? preview.open(uri, subject) : preview.open());
    },
    changePreview: () => changePreview(preview, server),
    comparePreview: () => comparePreview(preview, server),
    compareWithSaved: () => preview.compareWithSaved(),
    copyPreview: () => preview.copy(),
    refreshAgents: () => agents.refresh(),
    goToAgentOrTool: (node?: Node) => agents.go(node),
    previewAgentOrTool: (node: Node) => {
      const target = agents.target(node);
      return target && preview.open(target.uri, target.subject);
    },
    openWalkthrough: () =>
      commands.executeCommand("workbench.action.openWalkthrough", "adk-tool-lens.adk-tool-lens#adkToolLens.start"),
  };
  return Object.entries(handlers).map(([name, run]) =>
    commands.registerCommand(`${SECTION}.${name}`, run),
  );
}

async function selectBackend(status: Status): Promise<void> {
  const folder = activeFolder();
  const now = status.for(folder?.uri)?.backend ?? settingsFor(folder).backend;
  const details: Record<Backend, string> = {
    gemini: "The model reads about results in the docstring only",
    vertex: "The return annotation becomes a response schema",
  };
  const items = (Object.keys(BACKENDS) as Backend[]).map((backend) => ({
    label: BACKENDS[backend],
    description: backend === now ? "in use" : "",
    detail: details[backend],
    backend,
  }));
  const chosen = await window.showQuickPick(items, { title: "Back end that declarations are built for" });
  if (chosen) await save("backend", chosen.backend, folder);
}

async function selectInterpreter(): Promise<void> {
  const folder = activeFolder();
  const [enter, browse, select, clear] = [
    "$(edit) Enter a path…",
    "$(folder) Browse…",
    "$(snake) Select in the Python extension…",
    "$(discard) Find one automatically",
  ];
  const items: QuickPickItem[] = [
    ...venvs(folder).map((label) => ({ label, description: "virtual environment of this folder" })),
    { label: enter },
    { label: browse },
    ...(extensions.getExtension(PYTHON_EXTENSION) ? [{ label: select }] : []),
    ...(settingsFor(folder).interpreter === "" ? [] : [{ label: clear }]),
  ];
  const title = "Interpreter whose google-adk says what the model is told";
  const chosen = (await window.showQuickPick(items, { title }))?.label;
  if (chosen === undefined) return;
  if (chosen === select) await commands.executeCommand("python.setInterpreter");
  else if (chosen === clear) await save("interpreter", undefined, folder);
  else {
    const file = chosen === enter
      ? await window.showInputBox({ title, placeHolder: "/path/to/venv/bin/python" })
      : chosen === browse
        ? (await window.showOpenDialog({ title, openLabel: "Choose" }))?.[0]?.fsPath
        : chosen;
    if (file) await save("interpreter", file, folder);
  }
}

/** As near to the code as VS Code allows: the folder of several, else the workspace, else the user. */
async function save(key: string, value: unknown, folder: WorkspaceFolder | undefined): Promise<void> {
  const target = folder === undefined
    ? ConfigurationTarget.Global
    : folders().length > 1
      ? ConfigurationTarget.WorkspaceFolder
      : ConfigurationTarget.Workspace;
  await workspace.getConfiguration(SECTION, folder?.uri ?? null).update(key, value, target);
}

function activeFolder(): WorkspaceFolder | undefined {
  const uri = window.activeTextEditor?.document.uri;
  return (uri && workspace.getWorkspaceFolder(uri)) ?? folders()[0];
}

async function debugInformation(parts: Parts): Promise<void> {
  const client = parts.server.running;
  const content = JSON.stringify(
    {
      extension: parts.version,
      editor: `${env.appName} ${version}`,
      system: `${process.platform} ${process.arch} ${release()}`,
      remote: env.remoteName ?? null,
      pythonExtension: extensions.getExtension(PYTHON_EXTENSION)?.packageJSON.version ?? null,
      serverWanted: parts.server.isWanted,
      serverCommand: parts.server.command ?? null,
      server: client?.initializeResult?.serverInfo ?? null,
      status: parts.status.all(),
      configuration: await configuration(),
    },
    null,
    2,
  );
  await window.showTextDocument(await workspace.openTextDocument({ language: "json", content }));
}
