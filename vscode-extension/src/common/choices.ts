/** Lists to pick from: through which google-adk, back end and form the preview looks, and what to compare. */

import { type QuickPickItem, QuickPickItemKind, window, workspace, Uri } from "vscode";
import type { Choice, PreviewDocument } from "./preview";
import { knownEnvironments } from "./python";
import type { Server } from "./server";
import type { Backend, Provider } from "./settings";
import { BACKENDS } from "./status";

/** One row of the answer to `adkToolLens/environments`. */
interface Environment {
  readonly interpreter: string;
  readonly adkVersion: string;
  readonly inUse: boolean;
}

interface Item extends QuickPickItem {
  readonly choice?: Choice;
  /** What it is called in the title of a diff. */
  readonly short?: string;
  readonly saved?: boolean;
}

const PROVIDERS: Readonly<Record<Provider, string>> = {
  adk: "google-adk's declaration",
  gemini: "As the Gemini API receives it",
  openai: "As OpenAI receives it",
  anthropic: "As Anthropic receives it",
};

/** Asks through which eyes the preview is to look. */
export async function changePreview(preview: PreviewDocument, server: Server): Promise<void> {
  const items = await offers(preview, server, true);
  const title = "What the preview is made for; the settings stay as they are";
  const chosen = await window.showQuickPick(items, { title, matchOnDescription: true });
  if (chosen?.choice) await preview.choose(chosen.choice);
}

/** Asks what to compare with, and opens the diff. */
export async function comparePreview(preview: PreviewDocument, server: Server): Promise<void> {
  if (preview.current === undefined) await preview.open();
  const target = preview.current;
  if (target === undefined) {
    void window.showInformationMessage("Put the cursor on a tool or an agent first.");
    return;
  }
  const document = workspace.textDocuments.find((one) => one.uri.toString() === target.uri);
  const saved: Item = { label: "$(save) The last save", description: "what you have changed since", saved: true };
  const items = [...(document?.isDirty ? [saved] : []), ...(await offers(preview, server, false))];
  const chosen = await window.showQuickPick(items, { title: "Compare what the model sees with…", matchOnDescription: true });
  if (chosen?.saved) await preview.compareWithSaved();
  else if (chosen?.choice) {
    const [key] = Object.keys(chosen.choice) as (keyof Choice)[];
    const now = (await offers(preview, server, true)).find((one) => one.picked && one.choice && key! in one.choice);
    await preview.compare(preview.choice, { ...preview.choice, ...chosen.choice }, [now?.short ?? "now", chosen.short ?? chosen.label]);
  }
}

/** Everything there is to choose; what is in use is left out or marked. */
async function offers(preview: PreviewDocument, server: Server, inUseToo: boolean): Promise<Item[]> {
  const now = preview.choice;
  const backends = (Object.keys(BACKENDS) as Backend[]).map((backend): Item => ({
    label: BACKENDS[backend], short: BACKENDS[backend], choice: { backend }, picked: backend === now.backend,
  }));
  const providers = (Object.keys(PROVIDERS) as Provider[]).map((provider): Item => ({
    label: PROVIDERS[provider], short: PROVIDERS[provider], choice: { provider }, picked: provider === now.provider,
  }));
  const environments = (await environmentsOf(preview, server)).map((one): Item => ({
    label: `google-adk ${one.adkVersion}`,
    short: `google-adk ${one.adkVersion}`,
    description: one.interpreter,
    choice: { interpreter: one.interpreter },
    picked: one.interpreter === now.interpreter || (now.interpreter === undefined && one.inUse),
  }));
  const group = (label: string, items: Item[]): Item[] => {
    const rows = items
      .filter((one) => inUseToo || !one.picked)
      .map((one) => (one.picked ? { ...one, label: `$(check) ${one.label}` } : one));
    return rows.length ? [{ label, kind: QuickPickItemKind.Separator }, ...rows] : [];
  };
  return [...group("back end", backends), ...group("form", providers), ...group("google-adk", environments)];
}

async function environmentsOf(preview: PreviewDocument, server: Server): Promise<readonly Environment[]> {
  const uri = preview.current?.uri ?? window.activeTextEditor?.document.uri.toString();
  if (uri === undefined) return [];
  const candidates = await knownEnvironments(workspace.getWorkspaceFolder(Uri.parse(uri)));
  const answer = await server.request<Environment[]>("adkToolLens/environments", { textDocument: { uri }, candidates });
  return answer ?? [];
}
