/** Our settings as one plain object, the same that is sent to the server. */

import { homedir } from "node:os";
import * as path from "node:path";
import { Uri, type WorkspaceFolder, workspace } from "vscode";
import { chosen, folders, isTrusted, setting } from "./vscodeapi";

export type Backend = "gemini" | "vertex";
export type Provider = "adk" | "gemini" | "openai" | "anthropic";
export type ImportStrategy = "useBundled" | "fromEnvironment";

export interface Settings {
  readonly interpreter: string;
  readonly path: readonly string[];
  readonly importStrategy: ImportStrategy;
  /** Null: nobody has set it here, so `[tool.adk-tool-lens]` in `pyproject.toml` may say it. */
  readonly backend: Backend | null;
  /** Null: nobody has set it here, so the model of the agent says it. */
  readonly provider: Provider | null;
  readonly logLevel: "error" | "warning" | "info" | "debug";
  readonly lint: {
    readonly select: readonly string[] | null;
    readonly ignore: readonly string[];
    readonly extendSelect: readonly string[];
  };
  readonly diagnosticMode: "openFilesOnly" | "workspace";
  readonly lens: { readonly enabled: boolean };
  readonly inlayHints: { readonly enabled: boolean };
  readonly trace: { readonly server: "off" | "messages" | "verbose" };
}

/** What a change of each setting asks for. A new setting does not compile until it is listed here. */
export const EFFECT = {
  interpreter: "send",
  path: "restart",
  importStrategy: "restart",
  backend: "send",
  provider: "send",
  logLevel: "send",
  lint: "send",
  diagnosticMode: "send",
  lens: "send",
  inlayHints: "send",
  trace: "client",
} as const satisfies Record<keyof Settings, "restart" | "send" | "client">;

/** The settings that hold for a folder. Paths are left out while the workspace is not trusted. */
export function settingsFor(folder: WorkspaceFolder | undefined): Settings {
  const uri = folder?.uri;
  const trusted = isTrusted();
  return {
    interpreter: trusted ? expand(setting("interpreter", uri, ""), folder) : "",
    path: trusted ? setting<string[]>("path", uri, []).map((one) => expand(one, folder)) : [],
    importStrategy: trusted ? setting("importStrategy", uri, "useBundled") : "useBundled",
    backend: chosen<Backend>("backend", uri) ?? null,
    provider: chosen<Provider>("provider", uri) ?? null,
    logLevel: setting("logLevel", uri, "info"),
    lint: {
      select: setting<string[] | null>("lint.select", uri, null),
      ignore: setting<string[]>("lint.ignore", uri, []),
      extendSelect: setting<string[]>("lint.extendSelect", uri, []),
    },
    diagnosticMode: setting("diagnosticMode", uri, "openFilesOnly"),
    lens: { enabled: setting("lens.enabled", uri, true) },
    inlayHints: { enabled: setting("inlayHints.enabled", uri, false) },
    trace: { server: setting("trace.server", uri, "off") },
  };
}

/** The folder that a file, a notebook cell or the folder itself belongs to. */
export function folderOf(uri: string | undefined): WorkspaceFolder | undefined {
  return uri === undefined ? undefined : workspace.getWorkspaceFolder(Uri.parse(uri));
}

/** Fill in `~`, `${userHome}`, `${workspaceFolder}`, `${workspaceFolder:name}` and `${env:NAME}`. */
export function expand(value: string, folder: WorkspaceFolder | undefined): string {
  if (value === "") return "";
  const root = folder ?? folders()[0];
  const filled = value
    .replace(/^~(?=$|[/\\])/, homedir())
    .replace(/\$\{(userHome|workspaceFolder|cwd)\}/g, (whole, name: string) =>
      name === "userHome" ? homedir() : (root?.uri.fsPath ?? whole),
    )
    .replace(/\$\{workspaceFolder:([^}]+)\}/g, (whole, name: string) =>
      folders().find((one) => one.name === name)?.uri.fsPath ?? whole,
    )
    .replace(/\$\{env:([^}]+)\}/g, (_, name: string) => process.env[name] ?? "");
  // A bare name such as `python3.12` is looked up on PATH; anything with a slash belongs to the folder.
  return /[/\\]/.test(filled) && !path.isAbsolute(filled) && root
    ? path.join(root.uri.fsPath, filled)
    : filled;
}
