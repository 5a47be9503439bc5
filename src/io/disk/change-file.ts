/**
 * Descriptors and change files of libraries, wherever a person keeps them. Their content came from somebody else: it
 * is checked against its schema, and only ever read as text.
 */
import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { apiDescriptor, changeFile, type ApiDescriptor, type ChangeFile } from '#protocol/api.js';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';

/** A larger one would not be the API of one library. */
const BYTES_MOST = 64 * 1024 * 1024;

/** Throws ServiceError: settings. */
export const readChangeFile = (path: string): ChangeFile => read(path, changeFile, 'change file', 'codeplan api diff');

/** Throws ServiceError: settings. */
export const readApi = (path: string): ApiDescriptor => read(path, apiDescriptor, 'API descriptor', 'codeplan api');

function read<T>(path: string, schema: z.ZodType<T>, what: string, maker: string): T {
  const refuse = (reason: string): ServiceError =>
    new ServiceError('settings', `${shownName(path)} cannot be read as a ${what}: ${reason}; make one with ${maker}`);
  let text: string;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw refuse('it is no file');
    if (stats.size > BYTES_MOST) throw refuse(`it is larger than ${BYTES_MOST / 1024 / 1024} MB`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse('it is not JSON');
    throw error;
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refuse(issue === undefined ? 'it has another form' : `${issue.path.join('.')} ${issue.message}`);
}
