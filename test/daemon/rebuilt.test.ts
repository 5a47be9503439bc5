/**
 * Incremental equals rebuilt, through a real daemon: whatever is done to a repository of all four languages on the disk
 * (files, folders, links to other commits, ignore files) and in a client's unsaved texts, the daemon soon answers as
 * an engine that reads all of it for the first time.
 *
 * SEED=n does other things; CODEPLAN_TEST_OPERATIONS=n does more of them. A failure names both.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { introduction, reachOrStartDaemon } from '#src/daemon/daemon-connection.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { RemoteService } from '#src/daemon/remote-service.js';
import { ServiceError, type Call, type Service } from '#src/engine/service.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { LANGUAGES } from '#src/languages/registry.js';
import { commitAll, git, repository } from '../support/git-repository.js';
import { home, PROGRAM, type Home } from '../support/program.js';
import { models, programOf } from '../support/random-program.js';
import { randomNumbers } from '../support/random-numbers.js';

const SEED = Number(process.env['SEED'] ?? 20261122);
const OPERATIONS = Number(process.env['CODEPLAN_TEST_OPERATIONS'] ?? 24);
const BATCH_MOST = 6;
/** Characters that an edit may take out of a text. */
const PIECE_MOST = 30;
/** How long the daemon may take to hear of a write in place on a machine that is busy with other things. */
const MS_MOST = 60_000;
const FOLDERS = ['app', 'lib', 'lib/inner', 'old'] as const;

const call: Call = { signal: new AbortController().signal, progress: () => undefined };

/** Programs of all languages in a few folders, to take files and texts from. */
const PROGRAMS = fc
  .sample(models, { numRuns: 6, seed: SEED })
  .map(
    (model, i) =>
      Object.assign({}, ...LANGUAGES.map(({ id }) => programOf(id, model, FOLDERS[i % 2 === 0 ? 0 : 1]))) as Record<
        string,
        string
      >,
  );

interface Picture {
  /** Files of which the last good text is shown meanwhile, which only who saw it can do (src/engine/last-good.ts). */
  readonly broken: readonly string[];
  readonly [part: string]: unknown;
}

/** What the two answer; equal where the daemon's picture is that of the disk, but for broken files. */
async function pictureOf(service: Service): Promise<Picture> {
  const graph = await service.ask('codeplan/graph', {}, call);
  const { changes, affected, undecided, complete, problems } = await service.ask('codeplan/impact', {}, call);
  const { files, blocks, languages, broken } = await service.ask('codeplan/status', {}, call);
  const edges = graph.edges.map((edge) => JSON.stringify(edge)).sort();
  return { edges, changes, affected, undecided, complete, problems, files, blocks, languages, broken };
}

/** Undefined where the daemon says that a text has moved on, and to ask again: it heard of a write, or will. */
async function looked(service: Service): Promise<Picture | undefined> {
  try {
    return await pictureOf(service);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'textMovedOn') return undefined;
    throw error;
  }
}

class World {
  /** Unsaved texts of the daemon's client. */
  readonly unsaved = new Map<string, string>();
  readonly done: string[] = [];
  /** With an unsaved text of which a piece is missing: their last good text may be shown, which no status lists. */
  readonly torn = new Set<string>();
  private readonly random = randomNumbers(SEED);
  private version = 0;

  constructor(
    private readonly root: string,
    private readonly service: Service,
  ) {}

  act(): void {
    const acts: readonly (() => string)[] = [
      () => this.create(),
      () => this.create(),
      () => this.editInPlace(),
      () => this.editInPlace(),
      () => this.replace(),
      () => this.rename(),
      () => this.remove(),
      () => this.makeFolder(),
      () => this.moveFolder(),
      () => this.removeFolder(),
      () => this.commit(),
      () => this.checkOut(),
      () => this.ignore('.gitignore'),
      () => this.ignore('.codeplanignore'),
      () => this.type(),
      () => this.type(),
      () => this.close(),
    ];
    this.done.push(this.pick(acts)());
  }

  chance(most: number): number {
    return Math.floor(this.random() * most);
  }
  private pick<T>(list: readonly T[]): T {
    assert.ok(list.length > 0);
    return list[this.chance(list.length)] as T;
  }

  private files(): string[] {
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.root.length + 1))
      .filter((path) => !path.startsWith('.git/') && /\.(?:py|ts|java|cs)$/u.test(path))
      .sort();
  }
  private folders(): string[] {
    return [...new Set(this.files().map((path) => dirname(path)))].filter((folder) => folder !== '.');
  }
  private write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }
  private read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }
  /**
   * Another text of the same file, or with a name in place of another one, with a line more, or with a piece missing,
   * which mostly leaves syntax errors.
   */
  private other(path: string, text: string): string {
    const same = PROGRAMS.flatMap((program) => program[path] ?? []);
    const names = [...new Set(text.match(/\b[a-z]\w{3,}\b/gu) ?? ['x'])].filter((name) =>
      /measure|width|load/u.test(name),
    );
    switch (this.chance(4)) {
      case 0:
        return same.length > 0 ? this.pick(same) : text;
      case 1:
        return names.length > 0
          ? text.replaceAll(new RegExp(`\\b${this.pick(names)}\\b`, 'gu'), `named${this.chance(5)}`)
          : text;
      case 2: {
        const at = this.chance(text.length + 1);
        this.torn.add(path);
        return text.slice(0, at) + text.slice(at + 1 + this.chance(PIECE_MOST));
      }
      default:
        return `\n${text}`;
    }
  }

  private create(): string {
    const [path, text] = this.pick(Object.entries(this.pick(PROGRAMS)));
    const where =
      this.chance(2) === 0
        ? path
        : `${this.pick(FOLDERS)}/new${this.chance(4)}/${path.slice(path.lastIndexOf('/') + 1)}`;
    this.write(where, text);
    return `create ${where}`;
  }
  private editInPlace(): string {
    const files = this.files();
    if (files.length === 0) return this.create();
    const path = this.pick(files);
    this.write(path, this.other(path, this.read(path)));
    return `edit ${path}`;
  }
  /** As editors save: a new file takes the place of the old one. */
  private replace(): string {
    const files = this.files();
    if (files.length === 0) return this.create();
    const path = this.pick(files);
    this.write(`${path}.tmp`, this.other(path, this.read(path)));
    renameSync(join(this.root, `${path}.tmp`), join(this.root, path));
    return `replace ${path}`;
  }
  private rename(): string {
    const files = this.files();
    if (files.length === 0) return this.create();
    const path = this.pick(files);
    const to = `${this.pick(FOLDERS)}/moved${this.chance(3)}${path.slice(path.lastIndexOf('/') + 1)}`;
    mkdirSync(dirname(join(this.root, to)), { recursive: true });
    renameSync(join(this.root, path), join(this.root, to));
    return `rename ${path} to ${to}`;
  }
  private remove(): string {
    const files = this.files();
    if (files.length < 6) return this.create();
    const path = this.pick(files);
    rmSync(join(this.root, path));
    return `remove ${path}`;
  }
  private makeFolder(): string {
    const folder = `${this.pick(FOLDERS)}/deep${this.chance(3)}/er`;
    for (const [path, text] of Object.entries(this.pick(PROGRAMS)).slice(0, 4))
      this.write(`${folder}/${path.slice(path.lastIndexOf('/') + 1)}`, text);
    return `make ${folder}`;
  }
  private moveFolder(): string {
    const folders = this.folders();
    if (folders.length === 0) return this.create();
    const from = this.pick(folders);
    const to = `carried${this.chance(3)}`;
    if (existsSync(join(this.root, to)) || from.startsWith('carried')) return this.editInPlace();
    renameSync(join(this.root, from), join(this.root, to));
    return `move ${from}/ to ${to}/`;
  }
  private removeFolder(): string {
    const folders = this.folders();
    if (folders.length < 4) return this.makeFolder();
    const folder = this.pick(folders);
    rmSync(join(this.root, folder), { recursive: true });
    return `remove ${folder}/`;
  }
  private commit(): string {
    commitAll(this.root, `after ${this.done.length}`);
    return 'commit';
  }
  private checkOut(): string {
    const commits = git(this.root, 'log', '--all', '--format=%H').split('\n');
    const commit = this.pick(commits);
    git(this.root, 'checkout', '-q', '-f', commit);
    if (this.chance(2) === 0) git(this.root, 'clean', '-q', '-f', '-d');
    return `checkout ${commit.slice(0, 7)}`;
  }
  private ignore(name: string): string {
    if (this.chance(3) === 0) {
      rmSync(join(this.root, name), { force: true });
      return `remove ${name}`;
    }
    const pattern = this.pick(['lib/', '*.java', 'new1/', 'moved*', '/old', '!lib/inner']);
    this.write(name, `${pattern}\n`);
    return `${name}: ${pattern}`;
  }
  private type(): string {
    const files = this.files();
    if (files.length === 0) return this.create();
    const isNew = this.chance(5) === 0;
    const path = isNew ? `app/unsaved${this.chance(2)}.py` : this.pick(files);
    const text = isNew ? 'def unsaved():\n    return 1\n' : this.other(path, this.unsaved.get(path) ?? this.read(path));
    this.unsaved.set(path, text);
    this.service.setText(path, text, ++this.version);
    return `type into ${path}`;
  }
  /** Another whole text in place of a broken one, on the disk and where somebody types. */
  mend(path: string): void {
    const whole = PROGRAMS.flatMap((program) =>
      Object.entries(program).flatMap(([at, text]) => (extname(at) === extname(path) ? [text] : [])),
    );
    const text = this.pick(whole);
    this.torn.delete(path);
    if (existsSync(join(this.root, path))) this.write(path, text);
    if (this.unsaved.has(path)) {
      this.unsaved.set(path, text);
      this.service.setText(path, text, ++this.version);
    }
  }
  private close(): string {
    if (this.unsaved.size === 0) return this.type();
    const path = this.pick([...this.unsaved.keys()]);
    this.unsaved.delete(path);
    this.service.closeText(path);
    return `close ${path}`;
  }
}

/** What an engine says that has seen nothing of this before. */
async function rebuilt(
  root: string,
  { environment, runtime }: Home,
  unsaved: ReadonlyMap<string, string>,
): Promise<Picture> {
  const cache = join(dirname(runtime), 'no-cache');
  rmSync(cache, { recursive: true, force: true });
  const engine = createLocalEngine({
    root,
    mode: 'in-process',
    watch: false,
    environment: { ...environment, XDG_CACHE_HOME: cache },
    log: () => undefined,
  });
  try {
    await engine.warm();
    const service = engine.connect({ id: 'anew', name: 'a test', workingDirectory: root, environment });
    for (const [path, text] of unsaved) service.setText(path, text, 1);
    return await pictureOf(service);
  } finally {
    await engine.close();
  }
}

async function connected(t: TestContext, root: string, { environment }: Home): Promise<RemoteService> {
  const socket = await reachOrStartDaemon({ root, build: buildIdentity(), program: PROGRAM, environment });
  const service = await RemoteService.over(
    socket,
    buildIdentity(),
    introduction('a test', process.pid, '/', {}),
    call.signal,
  );
  t.after(() => service.close());
  return service;
}

test(`a daemon answers as one that begins anew, whatever is done meanwhile (seed ${SEED}, ${OPERATIONS} operations)`, async (t) => {
  const root = repository(t, {
    ...PROGRAMS[0],
    ...PROGRAMS[1],
    'tsconfig.json': '{"compilerOptions":{"strict":true}}\n',
  });
  const there = home(t);
  // Ends the daemon with the test.
  assert.equal((await there.run(root, 'daemon', 'start')).code, 0);
  const service = await connected(t, root, there);
  const world = new World(root, service);
  let asked = 0;
  let batches = 0;
  let mended = 0;
  while (world.done.length < OPERATIONS) {
    batches++;
    const first = world.done.length;
    for (let left = 1 + world.chance(BATCH_MOST); left > 0; left--) world.act();
    let expected = await rebuilt(root, there, world.unsaved);
    const until = Date.now() + MS_MOST;
    for (;;) {
      asked++;
      const seen = await looked(service);
      try {
        assert.deepEqual(
          seen,
          expected,
          `seed ${SEED}, after ${world.done.slice(first).join('; ')} (${world.done.length})`,
        );
        break;
      } catch (error) {
        if (Date.now() > until) throw error;
        const torn = [...world.torn].filter((path) => world.unsaved.has(path));
        const broken = new Set([...(seen?.broken ?? []), ...expected.broken, ...torn]);
        if (broken.size > 0) {
          for (const path of broken) world.mend(path);
          mended += broken.size;
          expected = await rebuilt(root, there, world.unsaved);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
  t.diagnostic(
    `${world.done.length} operations in ${batches} batches, ${asked} looks at the daemon, ${mended} broken files mended`,
  );
});
