/**
 * Whether anything here uses google-adk.
 *
 * VS Code can activate an extension by the language of a file, not by what is written in it. So the
 * activation stays light, and only what is seen here leads to a server: text of open editors, what the
 * project says it needs, and, once, a bounded look at its files. What comes later counts as well.
 */

import { open } from "node:fs/promises";
import * as path from "node:path";
import {
  CancellationTokenSource,
  Disposable,
  RelativePattern,
  type TextDocument,
  type Uri,
  type WorkspaceFolder,
  workspace,
} from "vscode";
import { errorText, log } from "./log";
import { anythingChosen, folders } from "./vscodeapi";

/** `google-adk` of a requirement, `google.adk` of an import, our own table in `pyproject.toml`. */
const MENTION = /\bgoogle[-_.]adk\b|\bfrom\s+google\s+import\s*(?:\([^)]*|[^(\n]*)\badk\b|\btool\.adk-tool-lens\b/i;
const NEEDS = ["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "Pipfile", "environment.yml"];
const FILES = "**/{*.py,*.ipynb,pyproject.toml,*requirements*.txt,setup.cfg,Pipfile,environment.yml}";
const NOT_OURS = "**/{node_modules,site-packages,.venv,venv,env,.git,.tox,.nox,__pycache__,build,dist}/**";
const MOST_FILES = 500;
/** Imports stand at the top, and requirements are short. */
const MOST_BYTES = 64 * 1024;
const AT_ONCE = 16;
const PAUSE_MS = 300;

export function mentionsAdk(text: string): boolean {
  return MENTION.test(text);
}

/** Looks until something is found, says so once, and is gone then. */
export class Evidence implements Disposable {
  private readonly listeners: Disposable[];
  private readonly edited = new Set<TextDocument>();
  private readonly touched = new Set<string>();
  private readonly cancel = new CancellationTokenSource();
  private timer: NodeJS.Timeout | undefined;
  private over = false;

  constructor(private readonly found: (what: string) => void) {
    const watcher = workspace.createFileSystemWatcher(FILES, false, false, true);
    const touch = (uri: Uri) => this.soon(() => this.touched.add(uri.fsPath));
    this.listeners = [
      watcher,
      watcher.onDidCreate(touch),
      watcher.onDidChange(touch),
      workspace.onDidOpenTextDocument((document) => this.read(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.soon(() => this.edited.add(document))),
      workspace.onDidChangeWorkspaceFolders(({ added }) => void this.search(added)),
      workspace.onDidChangeConfiguration(() => this.configured()),
    ];
  }

  /** From the cheapest place to the dearest. */
  async look(): Promise<void> {
    this.configured();
    for (const document of workspace.textDocuments) this.read(document);
    await this.search(folders());
  }

  dispose(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.cancel.cancel();
    for (const one of this.listeners) one.dispose();
  }

  private say(what: string): void {
    if (this.over) return;
    this.dispose();
    this.found(what);
  }

  private configured(): void {
    if (!this.over && folders().some((folder) => anythingChosen(folder.uri))) this.say("there are settings for it");
  }

  private read(document: TextDocument): void {
    if (this.over || document.languageId !== "python") return;
    if (mentionsAdk(document.getText())) this.say(`${document.uri.path} mentions google-adk`);
  }

  private async search(where: readonly WorkspaceFolder[]): Promise<void> {
    try {
      await this.files(where.flatMap((folder) => NEEDS.map((name) => path.join(folder.uri.fsPath, name))));
      for (const folder of where) {
        if (this.over) return;
        const pattern = new RelativePattern(folder, FILES);
        const found = await workspace.findFiles(pattern, NOT_OURS, MOST_FILES, this.cancel.token);
        await this.files(found.map((uri) => uri.fsPath));
      }
      if (!this.over) log.info("nothing here mentions google-adk: the server is started when something does");
    } catch (error) {
      log.warn(`looking for google-adk: ${errorText(error)}`);
    }
  }

  private soon(note: () => void): void {
    if (this.over) return;
    note();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.catchUp(), PAUSE_MS);
  }

  private async catchUp(): Promise<void> {
    for (const document of this.edited) this.read(document);
    const files = [...this.touched].slice(0, MOST_FILES);
    this.edited.clear();
    this.touched.clear();
    await this.files(files);
  }

  private async files(paths: readonly string[]): Promise<void> {
    for (let at = 0; at < paths.length && !this.over; at += AT_ONCE) {
      await Promise.all(
        paths.slice(at, at + AT_ONCE).map(async (file) => {
          if (mentionsAdk(await beginning(file))) this.say(`${file} mentions google-adk`);
        }),
      );
    }
  }
}

/** The first bytes of a file; of one that cannot be read, nothing. */
async function beginning(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}
