// The part of the Python extension's interface that ours calls; a setting says what is selected.
"use strict";

const vscode = require("vscode");

const changed = new vscode.EventEmitter();
const selected = (resource) => vscode.workspace.getConfiguration("pythonStandIn", resource ?? null).get("interpreter");

exports.activate = (context) => {
  context.subscriptions.push(
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("pythonStandIn")) changed.fire({ id: selected(), path: selected() });
    }),
  );
  return {
    environments: {
      known: [],
      getActiveEnvironmentPath: (resource) => ({ id: selected(resource), path: selected(resource) }),
      resolveEnvironment: async ({ path }) => (path ? { executable: { uri: vscode.Uri.file(path) } } : undefined),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
