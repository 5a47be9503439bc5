/**
 * What the edits in a repository are measured against, kept up to date: the last commit, with what
 * the person settled since. It is the same before and after the daemon was started anew, and so is the
 * list of what is left. Without git, or before the first commit, it is what the disk held at first.
 */
import { earlierTree } from '../engine/earlier-tree.js';
import type { Host } from '../engine/host.js';
import { ServiceError } from '../engine/service.js';
import type { Base } from '../engine/effects.js';
import { baseOfRevision, readHead } from '../io/git/git.js';
import type { LeftStore } from '../io/journal/left-store.js';
import { untilAborted } from '../base/until-aborted.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Snapshot } from '../graph/files/snapshot.js';

/** How often the commit is read again because the disk changed meanwhile. */
const TRIES_MOST = 5;

export interface BaselineParts {
  readonly root: string;
  readonly host: Host;
  readonly grammars: Grammars;
  readonly store: LeftStore;
  /** Whether the index is made from this path. */
  readonly includes: (path: string) => boolean;
  /** Folders of repositories inside of this one. */
  readonly repositories: () => readonly string[];
  readonly signal: AbortSignal;
}

export class RepositoryBaseline {
  private standing: Promise<void> | undefined;
  /** The disk when earlier texts were last looked for. */
  private lookedAt: Snapshot | undefined;
  private readonly lookedFor = new Set<string>();

  constructor(private readonly parts: BaselineParts) {}

  /** Resolves when it stands, with the texts of all files that differ from it. */
  async stands(signal: AbortSignal): Promise<void> {
    await untilAborted((this.standing ??= this.begun()), signal);
    await untilAborted(this.readTexts(), signal);
  }

  /** The last commit is another one: what was settled or decided on top of the old one is over. */
  moved(): Promise<void> {
    const before = this.standing ?? Promise.resolve();
    this.standing = before.then(() => this.begun());
    return this.standing;
  }

  private begun(): Promise<void> {
    return this.read().catch((error: unknown) => {
      // The next request tries again.
      this.standing = undefined;
      throw error;
    });
  }

  /**
   * What a client settled holds after a restart too. `texts`: of files that are not as in the commit; null: gone.
   * Undefined: nothing is settled.
   */
  async keep(texts: ReadonlyMap<string, string | null> | undefined): Promise<void> {
    const { commit } = await readHead(this.parts.root);
    const settled = texts === undefined || commit === undefined ? null : { commit, texts: Object.fromEntries(texts) };
    this.parts.store.change((left) => ({ ...left, settled }));
  }

  private async read(): Promise<void> {
    const { host, store, grammars } = this.parts;
    this.lookedFor.clear();
    for (let tries = 1; ; tries++) {
      const over = host.snapshot();
      const base = await this.lastCommit();
      if (base === undefined) return host.post({ kind: 'settled', client: undefined });
      const { settled } = store.read();
      const texts = settled !== null && settled.commit === base.commit ? Object.entries(settled.texts) : [];
      const before = earlierTree(base.files, new Map(texts), grammars);
      // A file that was written between the two looks would count as settled.
      if (host.snapshot() !== over && tries < TRIES_MOST) continue;
      return host.post({ kind: 'settled', client: undefined, before });
    }
  }

  /** A file that was saved over before anybody read it has its earlier text in the commit alone. */
  private async readTexts(): Promise<void> {
    const { host, grammars } = this.parts;
    const now = host.snapshot();
    if (this.lookedAt === now) return;
    this.lookedAt = now;
    const baseline = host.baselineOf();
    const isUnknown = (file: string): boolean =>
      baseline.hasFile(file) && !host.earlier.files.has(file) && !this.lookedFor.has(file);
    const unknown = now.differingFrom(baseline).filter(isUnknown);
    if (unknown.length === 0) return;
    for (const file of unknown) this.lookedFor.add(file);
    const base = await this.lastCommit();
    const found = [...earlierTree(base?.files ?? [], new Map(), grammars).files];
    host.post({
      kind: 'earlierTexts',
      files: new Map(found.flatMap(([path, file]) => (file === undefined ? [] : [[path, file] as const]))),
    });
  }

  /** Undefined where there is none. */
  private async lastCommit(): Promise<(Base & { readonly commit: string | undefined }) | undefined> {
    const { root, includes, repositories, signal } = this.parts;
    try {
      const { commit } = await readHead(root);
      return {
        ...(await baseOfRevision(root, commit ?? 'HEAD', { includes, repositories: repositories(), signal })),
        commit,
      };
    } catch (error) {
      if (error instanceof ServiceError && (error.kind === 'noGit' || error.kind === 'revision')) return undefined;
      throw error;
    }
  }
}
