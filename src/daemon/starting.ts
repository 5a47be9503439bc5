/**
 * Progress that an editor is shown from its greeting until its server speaks: a daemon may have to be started first.
 *
 *     editor ── initialized ──► a token is asked for ──► the editor's answer ends here ──► begin … end
 *            ── all else ──────────────────────────────────────────────────────────────► server
 */
import { Transform, type TransformCallback } from 'node:stream';
import { framed, messageAt, record } from './first-message.js';

const TOKEN = 'codeplan-starting';

export class Starting extends Transform {
  private rest: Buffer = Buffer.alloc(0);
  /** `done`: nothing that the editor sends is ours any more. */
  private state: 'greeted' | 'asked' | 'done';
  private isShown = false;
  private isOver = false;

  /** Asks for no token unless the editor can be asked for one. */
  constructor(
    private readonly output: NodeJS.WritableStream,
    isWanted: boolean,
    bytesMost: number,
  ) {
    super({ highWaterMark: bytesMost });
    this.state = isWanted ? 'greeted' : 'done';
  }

  /** The server speaks for itself now. */
  over(): void {
    if (this.isShown && !this.isOver) this.tell({ kind: 'end' });
    this.isOver = true;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    while (this.state !== 'done') {
      const first = messageAt(this.rest);
      if (first === 'incomplete') break;
      if (first === undefined) this.state = 'done';
      else {
        const bytes = this.rest.subarray(0, first.end);
        this.rest = this.rest.subarray(first.end);
        if (!this.isOurs(record(first.message))) this.push(bytes);
      }
    }
    if (this.state === 'done' && this.rest.length > 0) {
      this.push(this.rest);
      this.rest = Buffer.alloc(0);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.rest.length > 0) this.push(this.rest);
    done();
  }

  private isOurs({ id, method, error }: Record<string, unknown>): boolean {
    if (this.state === 'greeted' && method === 'initialized') {
      if (this.isOver) this.state = 'done';
      else {
        this.state = 'asked';
        this.output.write(framed({ id: TOKEN, method: 'window/workDoneProgress/create', params: { token: TOKEN } }));
      }
    }
    if (id !== TOKEN || method !== undefined) return false;
    this.state = 'done';
    if (error === undefined && !this.isOver) {
      this.isShown = true;
      this.tell({ kind: 'begin', title: 'codeplan', message: 'starting', cancellable: false });
    }
    return true;
  }

  private tell(value: object): void {
    this.output.write(framed({ method: '$/progress', params: { token: TOKEN, value } }));
  }
}
