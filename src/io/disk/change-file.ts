/**
 * Descriptors and change files of libraries, wherever a person keeps them. Their content came from somebody else: it
 * is checked against its schema, and only ever read as text.
 */
import type { z } from 'zod';
import { apiDescriptor, changeFile, type ApiDescriptor, type ChangeFile } from '#protocol/api.js';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { readGivenFile } from './given-file.js';

/** A larger one would not be the API of one library. */
const BYTES_MOST = 64 * 1024 * 1024;

/** Throws ServiceError: settings. */
export const readChangeFile = (path: string): ChangeFile => changeFileIn(readChangeText(path), path);

/** Throws ServiceError: settings. */
export const readChangeText = (path: string): string => readGivenFile(path, 'the change file', BYTES_MOST);

/** `path`: where the text was read. Throws ServiceError: settings, where it is no change file. */
export const changeFileIn = (text: string, path: string): ChangeFile =>
  parsed(text, path, changeFile, 'a change file', 'codeplan api diff');

/** Throws ServiceError: settings. */
export const readApi = (path: string): ApiDescriptor =>
  parsed(
    readGivenFile(path, 'the API descriptor', BYTES_MOST),
    path,
    apiDescriptor,
    'an API descriptor',
    'codeplan api',
  );

function parsed<T>(text: string, path: string, schema: z.ZodType<T>, what: string, maker: string): T {
  const refuse = (reason: string): ServiceError =>
    new ServiceError('settings', `${shownName(path)} cannot be read as ${what}: ${reason}; make one with ${maker}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse('it is not JSON');
    throw error;
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refuse(issue === undefined ? 'it has another form' : `${issue.path.join('.')} ${issue.message}`);
}
