/** The list of what is left, as a tree: files, and in each the blocks with the fact that speaks for them. */
import {
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  window,
  type Disposable,
  type TreeDataProvider,
  type TreeView,
} from 'vscode';
import type { LeftEntry, LeftReport } from '../../../protocol/left.js';
import { uriIn } from './server.js';

export type Node =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'entry'; readonly entry: LeftEntry }
  /** Something to know that is no block: places nobody can decide, or that not all could be read. */
  | { readonly kind: 'note'; readonly text: string };

export class LeftView implements TreeDataProvider<Node>, Disposable {
  private readonly touched = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.touched.event;
  private readonly view: TreeView<Node>;
  private report: LeftReport | undefined;

  constructor() {
    this.view = window.createTreeView('codeplan.left', { treeDataProvider: this, showCollapseAll: true });
  }

  /** Undefined: nothing is known. */
  show(report: LeftReport | undefined): void {
    this.report = report;
    const left = report?.counts.left ?? 0;
    this.view.badge = left === 0 ? undefined : { value: left, tooltip: `${left} left` };
    this.view.message = report === undefined ? '' : messageOf(report);
    this.touched.fire();
  }

  getChildren(node?: Node): Node[] {
    const entries = this.report?.entries.filter(({ state }) => state !== 'dismissed') ?? [];
    if (node?.kind === 'file')
      return entries.filter(({ file }) => file === node.file).map((entry) => ({ kind: 'entry', entry }));
    if (node !== undefined || this.report === undefined) return [];
    const files = [...new Set(entries.map(({ file }) => file))];
    return [...files.map((file): Node => ({ kind: 'file', file })), ...notesOf(this.report)];
  }

  getTreeItem(node: Node): TreeItem {
    if (node.kind === 'note') return Object.assign(new TreeItem(node.text), { iconPath: new ThemeIcon('info') });
    const root = this.report?.root ?? '/';
    if (node.kind === 'file') {
      const item = new TreeItem(uriIn(root, node.file), TreeItemCollapsibleState.Expanded);
      item.iconPath = ThemeIcon.File;
      return item;
    }
    const { entry } = node;
    const item = new TreeItem(entry.fact);
    const states = [entry.confidence === 'possible' ? 'possible' : '', entry.state === 'open' ? '' : entry.state];
    item.description = [entry.block, ...states].filter((word) => word !== '').join(' · ');
    item.tooltip = entry.reason;
    item.contextValue = 'entry';
    const [icon, color] = entry.tier === 'breaks' ? ['warning', 'list.warningForeground'] : ['question', 'foreground'];
    item.iconPath = new ThemeIcon(icon ?? '', new ThemeColor(color ?? ''));
    item.command = { command: 'codeplan.openEntry', title: 'Open', arguments: [node] };
    return item;
  }

  uriOf = (file: string): ReturnType<typeof uriIn> => uriIn(this.report?.root ?? '/', file);

  dispose(): void {
    this.view.dispose();
    this.touched.dispose();
  }
}

function messageOf({ counts, changes }: LeftReport): string {
  if (counts.left === 0) return '';
  const names = changes.map(({ block }) => block);
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `${counts.left} left (${counts.breaks} break) after ${names.slice(0, 3).join(', ')}${more}`;
}

function notesOf({ undecided, complete, counts }: LeftReport): Node[] {
  const notes: string[] = [];
  if (undecided.length > 0) notes.push(`${undecided.length} places that no analysis can decide`);
  if (counts.dismissed > 0) notes.push(`${counts.dismissed} dismissed`);
  if (!complete) notes.push('not all could be read: more may be left');
  return notes.map((text) => ({ kind: 'note', text }));
}
