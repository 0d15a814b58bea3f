/** "Show what the model sees": a read-only document beside the editor that follows the cursor. */

import {
  CancellationTokenSource,
  type Disposable,
  EventEmitter,
  type TextDocumentContentProvider,
  type TextEditor,
  Uri,
  ViewColumn,
  languages,
  window,
  workspace,
} from "vscode";
import { errorText, log } from "./log";
import type { Server } from "./server";

/** The answer to `adkToolLens/preview`. */
export interface Preview {
  readonly title: string;
  readonly languageId: string;
  readonly text: string;
}

const SCHEME = "adk-tool-lens";
const DELAY_MS = 120;
const TARGET = Uri.from({ scheme: SCHEME, path: "/What the model sees" });

export class PreviewDocument implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private shown: Preview = { title: "", languageId: "json", text: "" };
  private timer: NodeJS.Timeout | undefined;
  private request = new CancellationTokenSource();
  private readonly disposables: Disposable[];

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.disposables = [
      this.changed,
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor)),
      window.onDidChangeActiveTextEditor((editor) => editor && this.follow(editor)),
      workspace.onDidChangeTextDocument((event) => {
        const editor = window.activeTextEditor;
        if (editor?.document === event.document) this.follow(editor);
      }),
    ];
  }

  provideTextDocumentContent(): string {
    return this.shown.text;
  }

  async open(): Promise<void> {
    const editor = window.activeTextEditor;
    if (editor?.document.languageId === "python") await this.refresh(editor);
    const document = await workspace.openTextDocument(TARGET);
    await window.showTextDocument(document, {
      viewColumn: ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
    await this.colour();
  }

  /** Asks again for what is under the cursor, for instance after another back end was chosen. */
  update(): void {
    const editor = window.activeTextEditor;
    if (editor !== undefined) this.follow(editor);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.request.dispose();
    for (const one of this.disposables) one.dispose();
  }

  private follow(editor: TextEditor): void {
    if (editor.document.languageId !== "python" || !this.isVisible()) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(editor), DELAY_MS);
  }

  private async refresh(editor: TextEditor): Promise<void> {
    this.request.cancel();
    const request = (this.request = new CancellationTokenSource());
    const { line, character } = editor.selection.active;
    try {
      const answer = await this.server.running?.sendRequest<Preview | null>(
        "adkToolLens/preview",
        { textDocument: { uri: editor.document.uri.toString() }, position: { line, character } },
        request.token,
      );
      // Between two tools the last one stays in view; a server that is away changes nothing either.
      if (!answer || request.token.isCancellationRequested) return;
      this.shown = answer;
      this.changed.fire(TARGET);
      await this.colour();
    } catch (error) {
      if (!request.token.isCancellationRequested) log.warn(`preview: ${errorText(error)}`);
    }
  }

  private isVisible(): boolean {
    return window.visibleTextEditors.some((one) => one.document.uri.scheme === SCHEME);
  }

  private async colour(): Promise<void> {
    const document = workspace.textDocuments.find((one) => one.uri.toString() === TARGET.toString());
    if (document && document.languageId !== this.shown.languageId) {
      await languages.setTextDocumentLanguage(document, this.shown.languageId);
    }
  }
}
