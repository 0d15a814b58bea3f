/** Starting, restarting and talking to the language server. */

import { existsSync } from "node:fs";
import * as path from "node:path";
import { type Disposable, EventEmitter, type ExtensionContext, window } from "vscode";
import type {
  ConfigurationRequest,
  Executable,
  LanguageClient,
  LanguageClientOptions,
} from "vscode-languageclient/node";
import { NAME, errorText, log, serverLog, traceLog } from "./log";
import { type Source, projectInterpreter, serverPython } from "./python";
import { type Settings, folderOf, settingsFor } from "./settings";
import { SECTION, folders, isTrusted, within } from "./vscodeapi";

type Library = typeof import("vscode-languageclient/node");

/** What `adkToolLens/status` says about one folder (or about all, when `folder` is null). */
export interface ServerStatus {
  readonly state: "ready" | "starting" | "no-adk" | "error";
  readonly adkVersion: string | null;
  readonly backend: "gemini" | "vertex";
  readonly interpreter: string;
  readonly message: string;
  readonly folder: string | null;
}

/** The object in `initializationOptions`, and in `workspace/didChangeConfiguration` ever after. */
export interface Configuration {
  readonly settings: Settings;
  readonly folders: readonly FolderConfiguration[];
  readonly trusted: boolean;
  /** Findings are pushed: then they move along with the text at once. VS Code could ask for them, too. */
  readonly diagnostics: "push";
}
export interface FolderConfiguration {
  readonly uri: string;
  readonly interpreter: string | null;
  readonly source: Source | null;
  readonly settings: Settings;
}

const MAX_CRASHES = 5;
const CRASH_WINDOW_MS = 3 * 60_000;
const FIRST_DELAY_MS = 500;
const START_MS = 30_000;
const STOP_MS = 5_000;

export class Server implements Disposable {
  private client: LanguageClient | undefined;
  private python: string | undefined;
  private state: "idle" | "busy" | "busy-and-again" = "idle";
  private crashes: number[] = [];
  private begun: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private disposed = false;
  private readonly statusEmitter = new EventEmitter<ServerStatus>();
  private readonly problemEmitter = new EventEmitter<string>();
  private readonly beginEmitter = new EventEmitter<void>();
  private readonly agentsEmitter = new EventEmitter<void>();

  readonly onStatus = this.statusEmitter.event;
  /** Why there is no server at all; the user has been told. */
  readonly onProblem = this.problemEmitter.event;

  /** There is a reason for a server from now on. */
  readonly onBegin = this.beginEmitter.event;

  /** The tree of agents looks otherwise now. */
  readonly onAgentsChanged = this.agentsEmitter.event;

  constructor(private readonly context: ExtensionContext) {}

  get running(): LanguageClient | undefined {
    return this.client;
  }

  /** Python, or whatever else, the running server was started with. */
  get command(): string | undefined {
    return this.python;
  }

  /** Whether there has been a reason to start a server. */
  get isWanted(): boolean {
    return this.begun !== undefined;
  }

  /** Starts the server if nothing has asked for it before; resolves when that start is over. */
  begin(reason: string): Promise<void> {
    if (this.begun === undefined) {
      this.begun = this.restart(reason);
      this.beginEmitter.fire();
    }
    return this.begun;
  }

  /** Restarts at once, or one more time after the restart that is under way; never two at a time. */
  async restart(reason: string): Promise<void> {
    log.info(`restart: ${reason}`);
    clearTimeout(this.retry);
    if (this.state !== "idle") {
      this.state = "busy-and-again";
      return;
    }
    try {
      do {
        this.state = "busy";
        await this.stop();
        await this.start();
      } while ((this.state as string) === "busy-and-again" && !this.disposed);
    } catch (error) {
      log.error(`restart: ${errorText(error)}`);
    } finally {
      this.state = "idle";
    }
  }

  /** Sends what changed; a server that never came up is tried again instead. */
  async reconfigure(reason: string): Promise<void> {
    const client = this.client;
    if (client === undefined) return this.restart(reason);
    log.info(`settings sent to the server: ${reason}`);
    const settings = await configuration();
    await client.sendNotification("workspace/didChangeConfiguration", { settings });
  }

  async request<T>(method: string, params: unknown): Promise<T | undefined> {
    return this.client?.sendRequest<T>(method, params);
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.python = undefined;
    try {
      await client?.stop(STOP_MS);
    } catch (error) {
      log.warn(`the server did not stop by itself: ${errorText(error)}`);
    }
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.retry);
    this.statusEmitter.dispose();
    this.beginEmitter.dispose();
    this.agentsEmitter.dispose();
    this.problemEmitter.dispose();
  }

  private async start(): Promise<void> {
    if (this.disposed) return;
    const executable = await this.executable();
    if (executable === undefined) return;
    const library = await import("vscode-languageclient/node"); // a file of its own, not read on activation
    const options = await clientOptions(library, () => this.crashed(client));
    const client: LanguageClient = new (quiet(library))("adkToolLens", NAME, executable, options);
    client.onNotification("adkToolLens/status", (status: ServerStatus) => this.statusEmitter.fire(status));
    client.onNotification("adkToolLens/agentsChanged", () => this.agentsEmitter.fire());
    this.client = client;
    this.python = executable.command;
    const started = Date.now();
    try {
      const up = await within(START_MS, client.start().then(() => true));
      if (!up) throw new Error(`no answer within ${START_MS / 1000} s`);
      log.info(`server ready after ${Date.now() - started} ms`);
    } catch (error) {
      log.error(`the server did not start: ${errorText(error)}`);
      this.crashed(client);
      client.dispose(STOP_MS).catch(() => undefined); // it has failed already, its process must go
    }
  }

  private async executable(): Promise<Executable | undefined> {
    const options = { cwd: this.context.extensionPath };
    const settings = settingsFor(folders()[0]);
    for (const file of settings.path) {
      if (existsSync(file)) {
        log.info(`server: ${file} (adkToolLens.path)`);
        return { command: file, args: ["server", "--stdio"], options };
      }
      log.warn(`adkToolLens.path: there is no ${file}`);
    }
    if (settings.importStrategy === "fromEnvironment") {
      const found = await projectInterpreter(folders()[0]);
      const file = found && path.join(path.dirname(found.path), process.platform === "win32" ? "adk-tool-lens.exe" : "adk-tool-lens");
      if (file && existsSync(file)) {
        log.info(`server: ${file} (importStrategy is fromEnvironment)`);
        return { command: file, args: ["server", "--stdio"], options };
      }
      log.warn(`importStrategy is fromEnvironment, but there is no ${file ?? "interpreter"}: the bundled server is used`);
    }
    const python = await serverPython();
    if (python === undefined) {
      const text = "ADK Tool Lens needs Python 3.10 or newer to run, and found none. Install Python, or name one in the setting adkToolLens.interpreter.";
      log.error(text);
      this.problemEmitter.fire(text);
      void this.say(text);
      return undefined;
    }
    // -I -S: neither the environment's packages nor its start-up hooks; run.py adds the bundled libraries.
    const run = path.join(this.context.extensionPath, "bundled", "run.py");
    return { command: python.path, args: ["-I", "-S", run, "server", "--stdio"], options };
  }

  private crashed(client: LanguageClient | undefined): void {
    if (client === undefined || client !== this.client || this.disposed) return;
    this.client = undefined;
    const now = Date.now();
    this.crashes = [...this.crashes.filter((then) => now - then < CRASH_WINDOW_MS), now];
    const count = this.crashes.length;
    if (count >= MAX_CRASHES) {
      const text = `The ADK Tool Lens server stopped ${count} times within three minutes and is not started again. Its log says why; to report it, run "ADK Tool Lens: Debug Information" and send the text together with the log.`;
      log.error(text);
      this.crashes = [];
      this.problemEmitter.fire(text);
      void this.say(text);
      return;
    }
    const delay = FIRST_DELAY_MS * 2 ** (count - 1);
    log.warn(`the server has ended (${count} of ${MAX_CRASHES} within three minutes), next start in ${delay} ms`);
    this.retry = setTimeout(() => void this.restart("the server had ended"), delay);
  }

  private async say(text: string): Promise<void> {
    const [restart, show] = ["Restart Server", "Show Log"];
    const chosen = await window.showErrorMessage(text, restart, show);
    if (chosen === restart) await this.restart("asked for in a message");
    if (chosen === show) serverLog().show();
  }
}

/** A client whose errors go to the log only: what a person must know is said by us, once. */
function quiet(library: Library): Library["LanguageClient"] {
  return class extends library.LanguageClient {
    override error(message: string, data?: unknown): void {
      super.error(message, data, false);
    }
  };
}

async function clientOptions(library: Library, ended: () => void): Promise<LanguageClientOptions> {
  return {
    documentSelector: [
      { language: "python", scheme: "file" },
      { language: "python", scheme: "untitled" },
      { language: "python", notebook: "*" },
    ],
    outputChannel: serverLog(),
    traceOutputChannel: traceLog(),
    initializationOptions: await configuration(),
    initializationFailedHandler: () => false,
    // The library never restarts by itself: it would neither see our queue nor wait between tries.
    errorHandler: {
      error: (error, _message, count) => {
        log.warn(`connection: ${error.message}`);
        const { Continue, Shutdown } = library.ErrorAction;
        return { action: (count ?? 0) <= 3 ? Continue : Shutdown, handled: true };
      },
      closed: () => {
        ended();
        return { action: library.CloseAction.DoNotRestart, handled: true, message: "the server's process has ended" };
      },
    },
    markdown: {
      isTrusted: { enabledCommands: ["adkToolLens.showPreview", "adkToolLens.selectInterpreter"] },
      supportThemeIcons: true,
    },
    middleware: { workspace: { configuration: answerConfiguration } },
  };
}

const answerConfiguration: ConfigurationRequest.MiddlewareSignature = async (params, token, next) => {
  const values = await next(params, token);
  if (!Array.isArray(values)) return values;
  return Promise.all(
    params.items.map((item, index) => (item.section === SECTION ? ownSection(item.scopeUri) : values[index])),
  );
};

/** Everything the server is told about the workspace. */
export async function configuration(): Promise<Configuration> {
  return {
    settings: settingsFor(undefined),
    folders: await Promise.all(
      folders().map(async (folder) => {
        const found = await projectInterpreter(folder);
        return {
          uri: folder.uri.toString(),
          interpreter: found?.path ?? null,
          source: found?.source ?? null,
          settings: settingsFor(folder),
        };
      }),
    ),
    trusted: isTrusted(),
    diagnostics: "push",
  };
}

/** The answer to `workspace/configuration`: our section, with the interpreter that was really chosen. */
async function ownSection(scope: string | undefined): Promise<Settings> {
  const folder = folderOf(scope);
  const found = await projectInterpreter(folder);
  return { ...settingsFor(folder), interpreter: found?.path ?? "" };
}
