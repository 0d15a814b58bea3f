/** Where everything is put together. Nothing here waits for the server: VS Code waits for us. */

import { type ExtensionContext, workspace } from "vscode";
import { AgentsView } from "./common/agents";
import { registerCommands } from "./common/commands";
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
  const reconfigure = (reason: string) =>
    void current.reconfigure(reason).catch((error: unknown) => log.error(`${reason}: ${errorText(error)}`));

  context.subscriptions.push(
    current,
    status,
    preview,
    agents,
    current.onStatus((one) => {
      status.update(one);
      preview.update();
      agents.refresh();
    }),
    current.onAgentsChanged(() => agents.refresh()),
    current.onProblem((problem) => status.fail(problem)),
    ...registerCommands({ server: current, status, preview, agents, version }),
    workspace.onDidChangeConfiguration((event) => {
      const changed = Object.entries(EFFECT).filter(([key]) => event.affectsConfiguration(`${SECTION}.${key}`));
      const reason = `changed: ${changed.map(([key]) => key).join(", ")}`;
      if (changed.some(([, effect]) => effect === "restart")) void current.restart(reason);
      else if (changed.some(([, effect]) => effect === "send")) reconfigure(reason);
    }),
    workspace.onDidChangeWorkspaceFolders(() => reconfigure("other folders")),
    workspace.onDidGrantWorkspaceTrust(() => void current.restart("the workspace is trusted now")),
  );
  void current.restart("first start").then(async () => {
    const listeners = await onEnvironmentChange(() => reconfigure("another environment is selected"));
    context.subscriptions.push(...listeners);
  });
}

export async function deactivate(): Promise<void> {
  await server?.stop();
  disposeLogs();
}
