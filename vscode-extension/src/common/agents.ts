/** The tree of the workspace's agents with their tools. Nothing is asked for while nobody looks at it. */

import {
  commands,
  type Disposable,
  EventEmitter,
  MarkdownString,
  Position,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
} from "vscode";
import type { Location } from "vscode-languageclient/node";
import { errorText, log } from "./log";
import type { Server } from "./server";

/** The answers to `adkToolLens/agents` and `adkToolLens/agentTools`. */
interface Tool {
  readonly name: string;
  readonly kind: string;
  readonly detail: string;
  readonly subject: string;
  readonly location: Location | null;
  readonly tokens: number | null;
  readonly problems: number;
}
interface Agent {
  readonly name: string;
  readonly kind: string;
  readonly model: string;
  readonly subject: string;
  readonly folder: string | null;
  readonly location: Location | null;
  readonly tools: readonly Tool[];
  readonly gaps: readonly string[];
  readonly subAgents: readonly string[];
  readonly tokens: number;
  readonly problems: number;
  /** Whether the figures of all tools are known. */
  readonly complete: boolean;
}

export type Node =
  | { readonly type: "folder"; readonly uri: string; readonly agents: readonly Agent[] }
  | { readonly type: "agent"; agent: Agent }
  | { readonly type: "tool"; readonly tool: Tool; readonly agent: Agent }
  | { readonly type: "text"; readonly text: string; readonly icon: string };

const FEW = 12;

/** Without arguments: VS Code forgets those of a row when the tree is drawn anew while its rows are still asked for. */
const GO_TO_SELECTED = { command: "adkToolLens.goToAgentOrTool", title: "Go to Code" };

export class AgentsView implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<Node | undefined>();
  private readonly view = window.createTreeView<Node>("adkToolLens.agents", {
    treeDataProvider: this,
    showCollapseAll: true,
  });
  /** Whether all agents are drawn open. */
  private open = true;
  /** Agents with the figures of their tools that were asked for since the last refresh. */
  private known = new Map<string, Agent>();
  /** What was asked for by a refresh and is not drawn yet. */
  private fresh: readonly Agent[] | undefined;
  /** What the rows look like now. */
  private drawn = "";
  private refreshes = 0;

  get onDidChangeTreeData() {
    return this.changed.event;
  }

  constructor(private readonly server: Server) {}

  /** Draws the tree anew where it looks otherwise: on rows that are being drawn, clicks would be lost. */
  async refresh(): Promise<void> {
    const number = ++this.refreshes;
    const before = this.known;
    this.known = new Map();
    this.fresh = undefined;
    if (!this.view.visible) {
      this.changed.fire(undefined);
      return;
    }
    const fresh = await this.listed((one) => before.has(id(one)));
    if (number !== this.refreshes || look(fresh) === this.drawn) return;
    this.fresh = fresh;
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.changed.dispose();
    this.view.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    switch (node?.type) {
      case undefined:
        return this.roots();
      case "folder":
        return node.agents.map((agent) => ({ type: "agent", agent }));
      case "agent":
        return this.members(node);
      default:
        return [];
    }
  }

  getTreeItem(node: Node): TreeItem {
    switch (node.type) {
      case "folder":
        return folderItem(node.uri);
      case "agent":
        return agentItem(node, this.open);
      case "tool":
        return toolItem(node);
      case "text": {
        const item = new TreeItem(node.text);
        item.iconPath = new ThemeIcon(node.icon);
        item.tooltip = node.text;
        return item;
      }
    }
  }

  /** Goes to the code. Lines may have moved since the tree was drawn, so the place is asked for again. */
  async go(node: Node | undefined = this.view.selection[0]): Promise<void> {
    if (node === undefined) return;
    if (node.type !== "agent" && node.type !== "tool") return;
    const fresh = (await this.full(node.agent)) ?? node.agent;
    const place = node.type === "agent"
      ? fresh.location
      : (fresh.tools.find((one) => one.name === node.tool.name)?.location ?? node.tool.location);
    if (place === null) return;
    const { start } = place.range;
    const uri = Uri.parse(place.uri);
    if (uri.path.endsWith(".ipynb")) {
      // The lines are those of its cells, one behind the other; as a text document it would open as JSON.
      await commands.executeCommand("vscode.open", uri);
      return;
    }
    const document = await workspace.openTextDocument(uri);
    const word = document.getWordRangeAtPosition(document.validatePosition(new Position(start.line, start.character)));
    await window.showTextDocument(document, word === undefined ? {} : { selection: word.with({ end: word.start }) });
  }

  /** What the preview needs to know to show an entry of the tree. */
  target(node: Node): { readonly uri: string; readonly subject: string } | undefined {
    if (node.type !== "agent" && node.type !== "tool") return undefined;
    const subject = node.type === "agent" ? node.agent.subject : node.tool.subject;
    const uri = node.agent.location?.uri;
    return subject === "" || uri === undefined ? undefined : { uri, subject };
  }

  private async roots(): Promise<Node[]> {
    const agents = this.fresh ?? (await this.listed((one) => this.known.has(id(one))));
    this.fresh = undefined;
    this.drawn = look(agents);
    const folders = [...new Set(agents.map((one) => one.folder))];
    if (folders.length < 2) return agents.map((agent) => ({ type: "agent", agent }));
    return folders.map((uri) => ({
      type: "folder",
      uri: uri ?? "",
      agents: agents.filter((one) => one.folder === uri),
    }));
  }

  /** The agents, with the figures of the tools of those that are open. */
  private async listed(isOpen: (agent: Agent) => boolean): Promise<Agent[]> {
    const listed = (await this.ask<Agent[]>("adkToolLens/agents", {})) ?? [];
    this.open = listed.length <= FEW;
    return Promise.all(listed.map((one) => (this.open || isOpen(one) ? this.completed(one) : one)));
  }

  /**
   * The entries below an agent. Its own line may have figures only now. Then the whole tree is drawn anew, never this
   * agent alone: VS Code asks for the entries of several agents at once, and of one that is said to have changed while
   * their answer is under way, it keeps showing rows that it has forgotten. Nothing would happen on a click on them.
   */
  private async members(node: Node & { type: "agent" }): Promise<Node[]> {
    const agent = await this.completed(node.agent);
    if (agent !== node.agent) {
      node.agent = agent;
      setImmediate(() => this.changed.fire(undefined));
    }
    return [
      ...agent.tools.map((tool): Node => ({ type: "tool", tool, agent })),
      ...agent.gaps.map((text): Node => ({ type: "text", text: `not known: ${text}`, icon: "question" })),
      ...agent.subAgents.map((text): Node => ({ type: "text", text, icon: "type-hierarchy-sub" })),
    ];
  }

  /** The agent with the figures of its tools, asked for once between two refreshes. */
  private async completed(agent: Agent): Promise<Agent> {
    const { known } = this;
    const found = agent.complete ? agent : known.get(id(agent));
    if (found !== undefined) return found;
    const full = (await this.full(agent)) ?? agent;
    known.set(id(agent), full);
    return full;
  }

  private async full(agent: Agent): Promise<Agent | null | undefined> {
    return this.ask<Agent | null>("adkToolLens/agentTools", { uri: agent.location?.uri ?? "", subject: agent.subject });
  }

  private async ask<T>(method: string, params: unknown): Promise<T | undefined> {
    try {
      return await this.server.request<T>(method, params);
    } catch (error) {
      log.warn(`agents: ${errorText(error)}`);
      return undefined;
    }
  }
}

/** What agents look like in the tree; where they are is asked for when somebody goes there. */
function look(agents: readonly Agent[]): string {
  return JSON.stringify(agents, (key, value) => (key === "location" ? value?.uri : value));
}

/** What stays the same of an agent when the tree is drawn anew. */
function id(agent: Agent): string {
  return `${agent.location?.uri}#${agent.subject}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** For a narrow side bar; the tooltip and screen readers have the words. */
function short(figures: readonly string[]): string {
  return figures.map((one) => one.replace("about ", "~")).join(" · ");
}

function folderItem(uri: string): TreeItem {
  const item = new TreeItem(Uri.parse(uri), TreeItemCollapsibleState.Expanded);
  item.iconPath = ThemeIcon.Folder;
  return item;
}

function agentItem(node: Node & { type: "agent" }, open: boolean): TreeItem {
  const { agent } = node;
  const item = new TreeItem(agent.name, open ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed);
  const figures = [
    counted(agent.tools.length, "tool"),
    ...(agent.tokens ? [`about ${agent.tokens} tokens`] : []),
    ...(agent.problems ? [counted(agent.problems, "problem")] : []),
  ];
  item.id = id(agent);
  item.description = short(figures);
  item.iconPath = new ThemeIcon("hubot");
  item.contextValue = "agent";
  item.tooltip = text([`${agent.name}: ${agent.kind}`, ...(agent.model ? [`model ${agent.model}`] : []), ...figures]);
  item.accessibilityInformation = { label: `agent ${agent.name}, ${figures.join(", ")}` };
  item.command = GO_TO_SELECTED;
  return item;
}

function toolItem(node: Node & { type: "tool" }): TreeItem {
  const { tool } = node;
  const item = new TreeItem(tool.name);
  const figures = [
    ...(tool.kind === "function" ? [] : [tool.kind]),
    ...(tool.tokens === null ? [] : [`about ${tool.tokens} tokens`]),
    ...(tool.problems ? [counted(tool.problems, "problem")] : []),
  ];
  item.description = short(figures);
  item.iconPath = tool.problems || (tool.detail !== "" && tool.tokens === null)
    ? new ThemeIcon("warning", new ThemeColor("list.warningForeground"))
    : new ThemeIcon("symbol-method");
  item.contextValue = tool.subject === "" ? "entry" : "tool";
  item.tooltip = text([tool.name, ...figures, ...(tool.detail ? [tool.detail] : [])]);
  item.accessibilityInformation = { label: `tool ${tool.name}, ${figures.join(", ")}` };
  item.command = GO_TO_SELECTED;
  return item;
}

function text(lines: readonly string[]): MarkdownString {
  const shown = new MarkdownString();
  for (const line of lines) shown.appendText(`${line}\n\n`);
  return shown;
}
