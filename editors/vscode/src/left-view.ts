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
  | { readonly kind: 'file'; readonly file: string; readonly ids: readonly string[] }
  | { readonly kind: 'entry'; readonly entry: LeftEntry };

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
    this.view.message = report?.says.join('\n') ?? '';
    this.touched.fire();
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return (this.report?.files ?? []).map((one) => ({ kind: 'file', ...one }));
    if (node.kind === 'entry') return [];
    const entries = this.report?.entries.filter(({ id }) => node.ids.includes(id)) ?? [];
    return entries.map((entry) => ({ kind: 'entry', entry }));
  }

  getTreeItem(node: Node): TreeItem {
    const root = this.report?.root ?? '/';
    if (node.kind === 'file') {
      const item = new TreeItem(uriIn(root, node.file), TreeItemCollapsibleState.Expanded);
      item.iconPath = ThemeIcon.File;
      return item;
    }
    const { entry } = node;
    const item = new TreeItem(entry.fact);
    item.description = entry.beside === '' ? entry.block : `${entry.block} · ${entry.beside}`;
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
