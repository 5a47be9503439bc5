/** What a refusal of the service has to be, for `assert.throws`. */
import assert from 'node:assert/strict';
import type { ErrorKind } from '#protocol/errors.js';
import { ServiceError } from '#src/engine/service.js';

export function refused(kind: ErrorKind, ...files: string[]): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.deepEqual(error.files, files);
    return true;
  };
}
