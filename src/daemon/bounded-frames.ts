/**
 * A client's bytes on their way to the JSON-RPC reader, which would keep any amount of them: where a
 * message announces more than anybody sends, or a header has no end, the stream fails instead.
 */
import { Transform, type TransformCallback } from 'node:stream';

/** Several times the largest text of a source file, in JSON. */
export const MESSAGE_BYTES_MOST = 64 * 2 ** 20;
/** Two fields of LSP take less than 100 bytes; the rest is for fields that a client adds. */
const HEADER_BYTES_MOST = 4096;
const HEADER_END = '\r\n\r\n';

export class BoundedFrames extends Transform {
  private header = '';
  /** Bytes of the present body that are still to come. */
  private body = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < chunk.length;) {
      if (this.body > 0) {
        const taken = Math.min(this.body, chunk.length - at);
        this.body -= taken;
        at += taken;
        continue;
      }
      const before = this.header.length;
      this.header += chunk.toString('latin1', at, at + HEADER_BYTES_MOST + HEADER_END.length);
      const end = this.header.indexOf(HEADER_END);
      if (end === -1 && this.header.length > HEADER_BYTES_MOST) {
        done(new Error(`a header is longer than ${HEADER_BYTES_MOST} bytes`));
        return;
      }
      if (end === -1) break;
      const length = Number(/content-length: *(\d+)/iu.exec(this.header.slice(0, end))?.[1] ?? '0');
      if (length > MESSAGE_BYTES_MOST) {
        done(
          new Error(
            `a message of ${length} bytes is announced by its content-length; the most is ${MESSAGE_BYTES_MOST}`,
          ),
        );
        return;
      }
      at += end + HEADER_END.length - before;
      this.header = '';
      this.body = length;
    }
    done(null, chunk);
  }
}
