// Runs inside VS Code's extension host: presses every kind of code action once and looks at the file on disk.
"use strict";

const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { runAll, until } = require("./until.js");

const folderOf = (adk) => vscode.workspace.workspaceFolders.find((folder) => folder.name === adk).uri.fsPath;
const whole = (document) => document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));

async function offered(document, title) {
  const actions = await vscode.commands.executeCommand(
    "vscode.executeCodeActionProvider", document.uri, whole(document), undefined, 200,
  );
  return actions.find((action) => action.title === title && !action.disabled);
}

async function press(document, title) {
  const action = await until(`"${title}" in ${document.uri.path}`, () => offered(document, title));
  if (action.edit) assert.ok(await vscode.workspace.applyEdit(action.edit), title);
  if (action.command) await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
  assert.ok(action.edit || action.command, `${title} does something`);
}

async function opened(file) {
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  return document;
}

async function pressOne({ adk, file, title, after }) {
  const document = await opened(path.join(folderOf(adk), file));
  await press(document, title);
  assert.ok(await document.save());
  assert.equal(readFileSync(document.uri.fsPath, "utf8"), after, title);
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
}

/** A finding can be switched off where it is, or for the project; other files are edited as well. */
async function pressSuppressions({ adk, file, rule, line, pyproject }) {
  const document = await opened(path.join(folderOf(adk), file));
  const before = document.lineAt(line - 1).text;
  await press(document, `Suppress ${rule} on this line`);
  assert.equal(document.lineAt(line - 1).text, `${before}  # adk-tool-lens: ignore[${rule}]`);
  await vscode.commands.executeCommand("workbench.action.files.revert");
  await press(document, `Disable ${rule} for the project in pyproject.toml`);
  const project = await opened(path.join(folderOf(adk), "pyproject.toml"));
  assert.ok(await project.save());
  assert.equal(readFileSync(project.uri.fsPath, "utf8"), pyproject);
}

exports.run = async () => {
  const beside = path.dirname(vscode.workspace.workspaceFile.fsPath);
  const { presses, suppressions } = JSON.parse(readFileSync(path.join(beside, "cases.json"), "utf8"));
  await runAll([
    ...presses.map((one) => [`${one.fixture}: ${one.title}`, () => pressOne(one)]),
    ["suppressions", () => pressSuppressions(suppressions)],
  ]);
};
