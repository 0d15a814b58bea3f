/** The few calls into VS Code that decide something; everything else only shows things. */

import * as path from "node:path";
import { type Uri, type WorkspaceFolder, workspace } from "vscode";

export const SECTION = "adkToolLens";

export function folders(): readonly WorkspaceFolder[] {
  return workspace.workspaceFolders ?? [];
}

export function isTrusted(): boolean {
  return workspace.isTrusted;
}

/** The raw value of one setting of ours, as VS Code merges it for a resource. */
export function setting<T>(key: string, resource: Uri | undefined, fallback: T): T {
  return workspace.getConfiguration(SECTION, resource ?? null).get<T>(key) ?? fallback;
}

/** The value of one setting of ours if somebody has set it, whatever its default is. */
export function chosen<T>(key: string, resource: Uri | undefined): T | undefined {
  const found = workspace.getConfiguration(SECTION, resource ?? null).inspect<T>(key);
  return found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
}

/** Whether the workspace itself, and not only the user, says anything about us. */
export function anythingChosen(resource: Uri): boolean {
  const found = workspace.getConfiguration(undefined, resource).inspect<object>(SECTION);
  return found?.workspaceValue !== undefined || found?.workspaceFolderValue !== undefined;
}

/** Whether a file belongs to the opened workspace, and so is as trustworthy as the workspace. */
export function insideWorkspace(file: string): boolean {
  return folders().some((folder) => {
    const relative = path.relative(folder.uri.fsPath, file);
    return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
  });
}

/** A promise's value, or undefined when it takes longer than `ms`. */
export async function within<T>(ms: number, work: PromiseLike<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
