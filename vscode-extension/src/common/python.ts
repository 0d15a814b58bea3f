/**
 * Which Python runs what.
 *
 * Two questions that must not be mixed up: the *project's* interpreter has google-adk and answers
 * what the model is told (one per folder, may be unknown: then the server looks further); the
 * *server's* interpreter only has to be Python 3.10 or newer, because the extension brings the
 * server's libraries along. While the workspace is not trusted, no file of it is started.
 */

import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import * as path from "node:path";
import { type Disposable, type Uri, type WorkspaceFolder, extensions, workspace } from "vscode";
import type { PythonExtension } from "@vscode/python-extension";
import { errorText, log } from "./log";
import { settingsFor } from "./settings";
import { folders, insideWorkspace, isTrusted, within } from "./vscodeapi";

export type Source = "setting" | "python-extension" | "venv" | "path";
export interface Interpreter {
  readonly path: string;
  readonly source: Source;
}
export interface ServerPython extends Interpreter {
  readonly version: string;
}

export const PYTHON_EXTENSION = "ms-python.python";
const ENVIRONMENTS_EXTENSION = "ms-python.vscode-python-envs";
const OLDEST = [3, 10] as const;
const ANSWER_MS = 10_000;
const WINDOWS = process.platform === "win32";

/** The part of the Python Environments extension's interface that we call. */
interface EnvironmentsApi {
  getEnvironment(scope: Uri | undefined): Promise<
    { readonly execInfo?: { readonly run?: { readonly executable?: string } } } | undefined
  >;
  readonly onDidChangeEnvironment?: (listener: () => void) => Disposable;
}

/** The interpreter whose google-adk describes the tools of a folder, or undefined: the server decides. */
export async function projectInterpreter(
  folder: WorkspaceFolder | undefined,
): Promise<Interpreter | undefined> {
  const where = folder ? `folder ${folder.name}` : "no folder";
  if (!isTrusted()) {
    log.info(`${where}: not trusted, so the server uses its own Python`);
    return undefined;
  }
  for await (const found of candidates(folder)) {
    log.info(`${where}: google-adk is looked for in ${found.path} (${found.source})`);
    return found;
  }
  log.info(`${where}: no interpreter set, selected or found in .venv or venv; the server looks further`);
  return undefined;
}

/** A Python that can run the server, with every branch taken logged. */
export async function serverPython(): Promise<ServerPython | undefined> {
  const tried = new Set<string>();
  for await (const found of allCandidates()) {
    if (tried.has(found.path)) continue;
    tried.add(found.path);
    if (!isTrusted() && insideWorkspace(found.path)) {
      log.info(`server: ${found.path} is part of a workspace that is not trusted, skipped`);
      continue;
    }
    const version = await versionOf(found.path);
    if (version === undefined) continue;
    if (version[0] < OLDEST[0] || (version[0] === OLDEST[0] && version[1] < OLDEST[1])) {
      log.warn(`server: ${found.path} is Python ${version.join(".")}, ${OLDEST.join(".")} is needed`);
      continue;
    }
    log.info(`server: runs in ${found.path} (${found.source}, Python ${version.join(".")})`);
    return { ...found, version: version.join(".") };
  }
  return undefined;
}

/** Calls back whenever the Python extension or the environments extension selects something else. */
export async function onEnvironmentChange(listener: () => void): Promise<Disposable[]> {
  const [python, environments] = await Promise.all([pythonApi(), environmentsApi()]);
  return [
    python?.environments.onDidChangeActiveEnvironmentPath(listener),
    environments?.onDidChangeEnvironment?.(listener),
  ].filter((one) => one !== undefined);
}

/** Environments that a person may want to compare with: the folder's own, and all that the Python extension knows. */
export async function knownEnvironments(folder: WorkspaceFolder | undefined): Promise<string[]> {
  if (!isTrusted()) return [];
  const known = (await pythonApi())?.environments.known ?? [];
  return [...venvs(folder), ...known.map((one) => one.executable.uri?.fsPath ?? "").filter((file) => file !== "")];
}

async function* allCandidates(): AsyncGenerator<Interpreter> {
  if (isTrusted()) {
    for (const folder of folders()) yield* candidates(folder);
    if (folders().length === 0) yield* candidates(undefined);
  } else {
    log.info("server: the workspace is not trusted, only interpreters on PATH are considered");
  }
  for (const name of WINDOWS ? ["python", "python3"] : ["python3", "python"]) {
    for (const file of onPath(name)) yield { path: file, source: "path" };
  }
}

async function* candidates(folder: WorkspaceFolder | undefined): AsyncGenerator<Interpreter> {
  const set = settingsFor(folder).interpreter;
  if (set !== "") {
    const file = /[/\\]/.test(set) ? set : (onPath(set).next().value ?? set);
    if (!existsSync(file)) log.error(`adkToolLens.interpreter: there is no ${file}`);
    yield { path: file, source: "setting" };
  }
  const selected = await selectedEnvironment(folder?.uri);
  if (selected !== undefined) yield { path: selected, source: "python-extension" };
  for (const found of venvs(folder)) yield { path: found, source: "venv" };
}

/** Interpreters of the virtual environments that lie in a folder under their usual names. */
export function venvs(folder: WorkspaceFolder | undefined): string[] {
  if (folder === undefined) return [];
  const inside = WINDOWS ? ["Scripts", "python.exe"] : ["bin", "python"];
  return [".venv", "venv"]
    .map((name) => path.join(folder.uri.fsPath, name, ...inside))
    .filter((file) => existsSync(file));
}

async function selectedEnvironment(resource: Uri | undefined): Promise<string | undefined> {
  try {
    const environments = await environmentsApi();
    const chosen = await within(ANSWER_MS, environments?.getEnvironment(resource) ?? nothing());
    if (chosen?.execInfo?.run?.executable) return chosen.execInfo.run.executable;
    const python = (await pythonApi())?.environments;
    if (python === undefined) return undefined;
    const active = python.getActiveEnvironmentPath(resource);
    const resolved = await within(ANSWER_MS, python.resolveEnvironment(active));
    return resolved?.executable.uri?.fsPath;
  } catch (error) {
    log.warn(`the Python extension did not say which environment is selected: ${errorText(error)}`);
    return undefined;
  }
}

async function pythonApi(): Promise<PythonExtension | undefined> {
  return apiOf<PythonExtension>(PYTHON_EXTENSION);
}

async function environmentsApi(): Promise<EnvironmentsApi | undefined> {
  const wanted = workspace.getConfiguration("python").get<boolean>("useEnvironmentsExtension");
  return wanted ? apiOf<EnvironmentsApi>(ENVIRONMENTS_EXTENSION) : undefined;
}

async function apiOf<T>(id: string): Promise<T | undefined> {
  const extension = extensions.getExtension<T>(id);
  if (extension === undefined) return undefined;
  if (extension.isActive) return extension.exports;
  const api = await within(ANSWER_MS, extension.activate());
  if (api === undefined) log.warn(`${id} took more than ${ANSWER_MS / 1000} s to start`);
  return api;
}

async function nothing(): Promise<undefined> {
  return undefined;
}

/** Files of that name in the folders of PATH. A relative entry would mean the workspace, so it is left out. */
function* onPath(name: string): Generator<string, undefined> {
  const endings = WINDOWS ? [".exe"] : [""];
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (statSync(file, { throwIfNoEntry: false })?.isFile()) yield file;
    }
  }
  return undefined;
}

/** Asks an interpreter for its version without letting it import anything but the standard library. */
async function versionOf(python: string): Promise<readonly [number, number] | undefined> {
  const program = "import sys; print(*sys.version_info[:2])";
  return new Promise((resolve) => {
    execFile(python, ["-I", "-S", "-c", program], { timeout: ANSWER_MS }, (error, stdout) => {
      const [major, minor] = stdout.trim().split(" ").map(Number);
      if (error || major === undefined || minor === undefined || Number.isNaN(major + minor)) {
        log.warn(`server: ${python} did not start: ${errorText(error ?? stdout)}`);
        resolve(undefined);
      } else {
        resolve([major, minor]);
      }
    });
  });
}
