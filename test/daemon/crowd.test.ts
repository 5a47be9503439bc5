/**
 * Twenty clients on one daemon, each with unsaved texts of its own of the same files, editing at
 * random: every answer is about the asker's own text, none is lost, and memory does not grow.
 * `CODEPLAN_CROWD_SECONDS=60` makes it a longer one.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  CancellationTokenSource,
  StreamMessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import { PROTOCOL_VERSION } from '#protocol/names.js';
import type { ImpactReport } from '#protocol/impact.js';
import { introduction } from '#src/daemon/daemon-connection.js';
import { buildIdentity } from '#src/io/process/build-identity.js';
import { messageReader } from '#src/io/process/message-reader.js';
import { dial } from '#src/io/socket/dial.js';
import { eventually } from '../support/eventually.js';
import { home } from '../support/program.js';
import { repository } from '../support/git-repository.js';
import { randomNumbers } from '../support/random-numbers.js';
import { EVERYTHING } from '../support/lsp-client.js';
import { SHOP } from '../support/shop.js';

const CLIENTS = 20;
const SECONDS = Number(process.env['CODEPLAN_CROWD_SECONDS'] ?? '8');
/** What a heap may hold that is not collected yet. */
const GROWTH_BYTES_MOST = 80e6;

class Member {
  private readonly hints = new Map<string, string>();
  private version = 1;
  private round = 0;
  private connection!: ProtocolConnection;

  constructor(
    private readonly number: number,
    private readonly root: string,
    private readonly socket: string,
    private readonly random: () => number,
  ) {}

  async join(): Promise<void> {
    const socket = await dial(this.socket);
    assert.ok(socket);
    this.connection = createProtocolConnection(messageReader(socket), new StreamMessageWriter(socket));
    this.connection.onNotification(
      PublishDiagnosticsNotification.type,
      ({ uri, diagnostics }) => void this.hints.set(uri, JSON.stringify(diagnostics.map(({ message }) => message))),
    );
    this.connection.onUnhandledNotification(() => undefined);
    this.connection.onRequest('workspace/codeLens/refresh', () => null);
    this.connection.onClose(() => socket.destroy());
    this.connection.listen();
    const { version, stamp } = buildIdentity();
    await this.connection.sendRequest('codeplan/handshake', {
      protocol: PROTOCOL_VERSION,
      version,
      build: stamp,
      client: introduction(`member ${this.number}`, process.pid, this.root, {}),
    });
    await this.connection.sendRequest(InitializeRequest.type, {
      processId: null,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- it has to be there
      rootUri: null,
      capabilities: EVERYTHING,
      workspaceFolders: [{ uri: pathToFileURL(this.root).href, name: 'repo' }],
    });
    await this.connection.sendNotification(InitializedNotification.type, {});
    this.version = 1;
    for (const file of ['store.py', 'job.py'] as const)
      await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri: this.uri(file), languageId: 'python', version: 1, text: SHOP[file] },
      });
  }

  /**
   * One edit, of which the hints or an answer have to tell; now and then it is overtaken, or the member goes and
   * comes back.
   */
  async step(): Promise<void> {
    const name = `put_${this.number}_${++this.round}_`;
    await this.rename(name);
    const what = this.random();
    if (what < 0.1) {
      this.connection.end();
      this.connection.dispose();
      this.hints.clear();
      await this.join();
    } else if (what < 0.3) {
      const source = new CancellationTokenSource();
      const asked = this.connection.sendRequest('codeplan/impact', {}, source.token);
      source.cancel();
      await asked.catch((error: unknown) => assert.equal((error as { code?: number }).code, -32800));
    } else if (what < 0.6) {
      const { changes, affected } = await this.connection.sendRequest<ImpactReport>('codeplan/impact', {});
      assert.deepEqual(
        changes.map(({ file }) => file),
        ['store.py'],
      );
      assert.deepEqual(
        affected.map(({ block }) => block),
        ['save', 'report'],
      );
      assert.deepEqual(
        affected.filter(({ reason }) => !reason.includes(name)),
        [],
      );
    } else await this.seesOnly(name);
  }

  async leave(): Promise<void> {
    await this.change(SHOP['store.py']);
    await eventually(
      `no hint for member ${this.number}`,
      () => (this.hints.get(this.uri('job.py')) ?? '[]') === '[]' || undefined,
    );
    this.connection.end();
    this.connection.dispose();
  }

  async status(): Promise<{
    readonly clients: readonly unknown[];
    readonly memory: { readonly residentBytes: number };
  }> {
    return this.connection.sendRequest('codeplan/status', {});
  }

  private async seesOnly(name: string): Promise<void> {
    const hints = await eventually(`hints that say ${name}`, () => {
      const said = this.hints.get(this.uri('job.py')) ?? '';
      return said.includes(name) ? said : undefined;
    });
    const others = [...hints.matchAll(/put_(\d+)_/gu)].filter(([, number]) => number !== String(this.number));
    assert.deepEqual(others, []);
  }

  private rename(name: string): Promise<void> {
    return this.change(SHOP['store.py'].replace('def put', `def ${name}`));
  }

  private change(text: string): Promise<void> {
    return this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: this.uri('store.py'), version: ++this.version },
      contentChanges: [{ text }],
    });
  }

  private uri(file: string): string {
    return pathToFileURL(join(this.root, file)).href;
  }
}

test(`${CLIENTS} clients edit the same files for ${SECONDS} s, and each hears of its own text alone`, async (t) => {
  const root = repository(t, SHOP);
  const there = home(t);
  const started = await there.run(root, 'daemon', 'start');
  assert.equal(started.code, 0, started.stderr);
  const folder = join(there.runtime, 'codeplan');
  const socket = join(folder, readdirSync(folder).find((name) => name.endsWith('.sock')) ?? '');
  const members = Array.from(
    { length: CLIENTS },
    (_, number) => new Member(number, root, socket, randomNumbers(number + 1)),
  );
  const [first] = members as [Member, ...Member[]];
  for (const member of members) await member.join();
  await eventually('all', async () => (await first.status()).clients.length === CLIENTS || undefined);
  const end = Date.now() + SECONDS * 1000;
  const until = async (time: number): Promise<number> => {
    let steps = 0;
    await Promise.all(
      members.map(async (member) => {
        for (; Date.now() < time; steps++) await member.step();
      }),
    );
    return steps;
  };
  await until(end - (SECONDS * 1000) / 2);
  const halfway = (await first.status()).memory.residentBytes;
  const steps = await until(end);
  const { memory, clients } = await first.status();
  assert.equal(clients.length, CLIENTS, 'those that went and came are counted once');
  assert.ok(steps > CLIENTS, `${steps} steps`);
  assert.ok(
    memory.residentBytes - halfway < GROWTH_BYTES_MOST,
    `grew from ${halfway} to ${memory.residentBytes} bytes in ${steps} steps`,
  );
  t.diagnostic(
    `${steps} steps in the second half, ${(halfway / 1e6).toFixed(0)} MB halfway, ${(memory.residentBytes / 1e6).toFixed(0)} MB at the end`,
  );
  for (const member of members) await member.leave();
});
