/** The status document for people. */
import type { Status } from '#protocol/status.js';
import { shownInLine, shownName } from '../base/shown.js';
import { leftWords } from '../engine/left-words.js';
import { problemLines } from './problem-text.js';
import { counted } from '../base/counted.js';
import type { Paint } from './print.js';

/** In bytes. */
const MEGABYTE = 1024 * 1024;

export function statusLines(status: Status, paint: Paint): string[] {
  const { memory, cache, watch, pending } = status;
  const row = (name: string, text: string): string => `${paint(name.padEnd(10), 'cyan')} ${text}`;
  const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return [
    row('root', shownName(status.root)),
    row(
      'codeplan',
      `${status.version}, ${status.mode}, process ${status.pid}, up ${Math.round(status.uptimeSeconds)} s`,
    ),
    row(
      'index',
      `${status.state}: ${counted(status.files, 'file')}, ${counted(status.blocks, 'block')}, ` +
        `${counted(status.names, 'name')}, snapshot ${status.snapshot}`,
    ),
    ...status.languages.map(({ language, files, blocks, lines }) =>
      row('', `${language}: ${counted(files, 'file')}, ${counted(blocks, 'block')}, ${counted(lines, 'line')}`),
    ),
    ...(status.left === undefined ? [] : [row('left', leftWords(status.left))]),
    row('pending', `${counted(pending.files, 'file')}, ${counted(pending.events, 'event')}`),
    row('memory', `${megabytes(memory.residentBytes)} resident, ${megabytes(memory.summaryBytes)} summaries`),
    row(
      'cache',
      `${counted(cache.entries, 'entry', 'entries')}, ${megabytes(cache.bytes)}, ${cache.hits} hits, ` +
        `${cache.misses} misses, ${shownName(cache.directory)}`,
    ),
    row('watch', watch.reason === undefined ? watch.mode : `${watch.mode}: ${watch.reason}`),
    ...status.clients.map(({ id, name, openFiles, overlays, left }) =>
      row(
        'client',
        `${id} ${shownInLine(name)}: ${counted(openFiles, 'open file')}, ` +
          `${counted(overlays, 'unsaved text')}${left === undefined ? '' : `, ${leftWords(left)}`}`,
      ),
    ),
    ...(status.trusted === null
      ? []
      : [
          row(
            'trusted',
            status.trusted ? 'yes' : 'no; "codeplan trust" allows the repository\'s commands and endpoints',
          ),
        ]),
    ...status.ignoredSettings.map((setting) => row('ignored', `${shownInLine(setting)} (not trusted)`)),
    ...status.broken.map((file) => row('broken', `${shownName(file)}: syntax errors; its last good blocks are used`)),
    ...problemLines(status.problems, paint),
  ];
}
