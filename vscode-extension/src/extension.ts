/** Where everything is put together. Nothing here waits for the server: VS Code waits for us. */

import { type Disposable, type ExtensionContext, commands, workspace } from "vscode";
import { AgentsView } from "./common/agents";
import { registerCommands } from "./common/commands";
import { Evidence } from "./common/evidence";
import { disposeLogs, errorText, log } from "./common/log";
import { PreviewDocument } from "./common/preview";
import { onEnvironmentChange } from "./common/python";
import { Server } from "./common/server";
import { EFFECT } from "./common/settings";
import { Status } from "./common/status";
import { SECTION, isTrusted } from "./common/vscodeapi";

let server: Server | undefined;

export function activate(context: ExtensionContext): void {
  const version = String(context.extension.packageJSON.version);
  log.info(`ADK Tool Lens ${version}, ${isTrusted() ? "trusted" : "untrusted"} workspace`);
  const current = (server = new Server(context));
  const status = new Status();
  const preview = new PreviewDocument(current);
  const agents = new AgentsView(current);
  const evidence = new Evidence((what) => void current.begin(what));

  context.subscriptions.push(
    current,
    status,
    preview,
    agents,
    evidence,
    current.onStatus((one) => {
      status.update(one);
      preview.update();
      void agents.refresh();
    }),
    current.onAgentsChanged(() => void agents.refresh()),
    current.onProblem((problem) => status.fail(problem)),
    current.onBegin(() => {
      evidence.dispose();
      status.begin();
      void commands.executeCommand("setContext", "adkToolLens.active", true);
      context.subscriptions.push(...whatRestarts(current));
    }),
    ...registerCommands({ server: current, status, preview, agents, version }),
  );
  setImmediate(() => void evidence.look()); // not part of the activation that VS Code waits for
}

/** What happens in the editor that a server in use must learn of. */
function whatRestarts(current: Server): Disposable[] {
  const reconfigure = (reason: string) =>
    void current.reconfigure(reason).catch((error: unknown) => log.error(`${reason}: ${errorText(error)}`));
  const environments = current
    .begin("first start")
    .then(() => onEnvironmentChange(() => reconfigure("another environment is selected")));
  return [
    workspace.onDidChangeConfiguration((event) => {
      const changed = Object.entries(EFFECT).filter(([key]) => event.affectsConfiguration(`${SECTION}.${key}`));
      const reason = `changed: ${changed.map(([key]) => key).join(", ")}`;
      if (changed.some(([, effect]) => effect === "restart")) void current.restart(reason);
      else if (changed.some(([, effect]) => effect === "send")) reconfigure(reason);
    }),
    workspace.onDidChangeWorkspaceFolders(() => reconfigure("other folders")),
    workspace.onDidGrantWorkspaceTrust(() => void current.restart("the workspace is trusted now")),
    { dispose: () => void environments.then((listeners) => listeners.forEach((one) => one.dispose())) },
  ];
}

export async function deactivate(): Promise<void> {
  await server?.stop();
  disposeLogs();
}
