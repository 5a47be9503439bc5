/**
 * The editors that tests are run in: the one on the path, and newer ones where `.ci/newer-editors`
 * has unpacked some and `CODEPLAN_NEWER_EDITORS` names the folder of their starters.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface EditorProgram {
  /** For a test's title. */
  readonly title: string;
  readonly program: string;
}

export function editorPrograms(name: 'nvim' | 'emacs' | 'hx'): readonly EditorProgram[] {
  const folder = process.env['CODEPLAN_NEWER_EDITORS'];
  const newer = folder === undefined || !existsSync(folder) ? [] : readdirSync(folder).filter((file) => file.split('-')[0] === name);
  return [...(name === 'hx' ? [] : [{ title: name, program: name }]), ...newer.map((file) => ({ title: file, program: join(folder ?? '', file) }))];
}
