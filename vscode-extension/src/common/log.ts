/** Two channels: what this extension decides, and what the server says. A third for the protocol, when asked for. */

import { type LogOutputChannel, window } from "vscode";

export const NAME = "ADK Tool Lens";

export const log: LogOutputChannel = window.createOutputChannel(NAME, { log: true });

let server: LogOutputChannel | undefined;
let trace: LogOutputChannel | undefined;

export function serverLog(): LogOutputChannel {
  return (server ??= window.createOutputChannel(`${NAME} Language Server`, { log: true }));
}

export function traceLog(): LogOutputChannel {
  return (trace ??= window.createOutputChannel(`${NAME} Trace`, { log: true }));
}

export function disposeLogs(): void {
  for (const channel of [log, server, trace]) channel?.dispose();
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
