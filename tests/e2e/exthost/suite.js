// Runs inside VS Code's extension host, against the real API. A rejection of run() is the failure that is reported.
"use strict";

const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { runAll, until } = require("./until.js");

const ID = "adk-tool-lens.adk-tool-lens";
const SOURCE = "adk-tool-lens";
const FIX_ALL = "source.fixAll.adk-tool-lens";

const findings = (uri) => vscode.languages.getDiagnostics(uri).filter((one) => one.source === SOURCE);
const rule = (diagnostic) => (typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code);
const lost = (uri) => findings(uri).filter((one) => rule(one) === "field-description-lost");

async function isOfferedForPythonOnly() {
  const extension = vscode.extensions.getExtension(ID);
  assert.ok(extension, "the extension is there");
  assert.deepEqual(extension.packageJSON.activationEvents, ["onLanguage:python"]);
  assert.equal(extension.isActive, false, "not active before a Python file is open");
}

async function findsWhatIsLost(document) {
  await until("active", () => vscode.extensions.getExtension(ID).isActive);
  const found = await until("a finding", () => (lost(document.uri).length ? lost(document.uri) : undefined));
  assert.equal(found.length, 1);
  assert.match(document.getText(found[0].range), /Field|sku|description|Article/);
}

async function declarationAt(document, at) {
  const hovers = await until("a hover", async () => {
    const all = await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, at);
    return all.length ? all : undefined;
  });
  const text = hovers.flatMap((hover) => hover.contents).map((one) => one.value ?? one).join("\n");
  const json = /```json\n([\s\S]*?)```/.exec(text);
  assert.ok(json, text);
  return JSON.parse(json[1]);
}

async function hoverHasTheDeclaration(document) {
  const at = document.positionAt(document.getText().indexOf("check_stock(") + 2);
  assert.equal((await declarationAt(document, at)).name, "check_stock");
}

async function commandsExist() {
  const known = new Set(await vscode.commands.getCommands(true));
  for (const { command } of vscode.extensions.getExtension(ID).packageJSON.contributes.commands) {
    assert.ok(known.has(command), `${command} is registered`);
  }
}

async function everySettingHasADescription() {
  const { properties } = vscode.extensions.getExtension(ID).packageJSON.contributes.configuration;
  for (const [key, value] of Object.entries(properties)) {
    assert.ok(value.description ?? value.markdownDescription, key);
    assert.ok(value.scope, key);
  }
}

async function severalRestartsAtOnceEndInOneServer(document) {
  await Promise.all([1, 2, 3].map(() => vscode.commands.executeCommand("adkToolLens.restart")));
  await until("findings after the restart", () => lost(document.uri).length === 1);
}

async function debugInformationNamesTheServer() {
  await vscode.commands.executeCommand("adkToolLens.debugInformation");
  const text = vscode.window.activeTextEditor.document.getText();
  const { server, status, configuration } = JSON.parse(text);
  assert.equal(server.name, "adk-tool-lens");
  assert.ok(status.length, text);
  assert.equal(configuration.trusted, true);
  assert.equal(configuration.folders[0].source, "setting");
}

async function changesOfSettingsArrive() {
  const settings = vscode.workspace.getConfiguration("adkToolLens");
  const backend = async () => {
    await vscode.commands.executeCommand("adkToolLens.debugInformation");
    return JSON.parse(vscode.window.activeTextEditor.document.getText()).status[0]?.backend;
  };
  await settings.update("backend", "vertex", vscode.ConfigurationTarget.Workspace);
  await until("the server uses Vertex AI", async () => (await backend()) === "vertex");
  await settings.update("backend", undefined, vscode.ConfigurationTarget.Workspace);
  await until("the server uses the Gemini API again", async () => (await backend()) === "gemini");
}

async function cellsOfANotebookAreOneModule(document) {
  const body = document.getText();
  const split = body.indexOf("\nroot_agent");
  assert.ok(split > 0);
  const cells = [body.slice(0, split), body.slice(split)].map(
    (text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, "python"),
  );
  const notebook = await vscode.workspace.openNotebookDocument("jupyter-notebook", new vscode.NotebookData(cells));
  const [tools, agent] = notebook.getCells().map((cell) => cell.document);
  // What makes it a tool is in the other cell.
  const found = await until("a finding in the first cell", () => lost(tools.uri)[0]);
  assert.match(tools.getText(found.range), /Field|sku|description|Article/);
  const at = agent.positionAt(agent.getText().indexOf("check_stock") + 2);
  assert.equal((await declarationAt(agent, at)).name, "check_stock");
}

async function untitledFilesAreChecked(document) {
  const untitled = await vscode.workspace.openTextDocument({ language: "python", content: document.getText() });
  await vscode.window.showTextDocument(untitled);
  await until("a finding in the untitled file", () => lost(untitled.uri).length);
}

async function fixAllIsOffered(document) {
  await vscode.window.showTextDocument(document);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const actions = await vscode.commands.executeCommand(
    "vscode.executeCodeActionProvider", document.uri, whole, FIX_ALL, 10,
  );
  const action = actions.find((one) => one.kind.value === FIX_ALL);
  assert.ok(action?.edit, "one action with an edit");
  assert.ok(await vscode.workspace.applyEdit(action.edit));
  await until("nothing is lost any more", () => lost(document.uri).length === 0);
  await vscode.commands.executeCommand("workbench.action.files.revert");
}

async function workspaceIsFixedAtOnce(document) {
  const orders = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(document.uri, "..", "orders.py"));
  const expected = readFileSync(path.join(__dirname, "..", "expected", "orders.py.txt"), "utf8");
  await until("both files are known", () => lost(document.uri).length && lost(orders.uri).length);
  await vscode.commands.executeCommand("adkToolLens.fixWorkspace");
  await until("the other file is fixed", () => orders.getText() === expected);
  await until("nothing is lost any more", () => lost(document.uri).length === 0);
  assert.ok(document.isDirty && orders.isDirty, "nothing is saved without being asked");
}

exports.run = async () => {
  await isOfferedForPythonOnly();
  const folder = vscode.workspace.workspaceFolders[0].uri;
  const uri = vscode.Uri.joinPath(folder, "warehouse", "agent.py");
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  const cases = [
    findsWhatIsLost, hoverHasTheDeclaration, commandsExist, everySettingHasADescription,
    severalRestartsAtOnceEndInOneServer, debugInformationNamesTheServer, changesOfSettingsArrive,
    cellsOfANotebookAreOneModule, untitledFilesAreChecked, fixAllIsOffered, workspaceIsFixedAtOnce,
  ];
  await runAll(cases.map((run) => [run.name, () => run(document)]));
};
