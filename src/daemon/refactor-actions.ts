/**
 * Code actions that refactor what is named under the cursor: by themselves where nothing has to be asked, and for a
 * client that can ask its person (`experimental.codeplan.asks`) as commands of the client's own.
 */
import type { CodeAction } from 'vscode-languageserver/node';
import type { HereReport, Refactoring } from '#protocol/refactor.js';
import { shownInLine } from '../base/shown.js';
import { ASYNC_KIND, MOVE_KIND, RENAME_KIND, SIGNATURE_KIND } from './client-features.js';
import { COMMANDS } from './command-names.js';

/** Commands of a client that asks for the rest: each is about the place of the cursor. */
const ASKING = { rename: 'codeplan.rename', move: 'codeplan.move', signature: 'codeplan.signature' } as const;

/** On the name of a declaration; none elsewhere, so that a list which is long already does not grow. */
export function refactorActions({ rename, signature, move }: HereReport, canAsk: boolean): CodeAction[] {
  const isHeader = signature?.isHeader === true || move?.isHeader === true;
  const done = (title: string, kind: string, refactoring: Refactoring): CodeAction =>
    action(title, kind, COMMANDS.refactor, [{ refactoring }]);
  return [
    ...(canAsk && rename !== null && isHeader
      ? [
          action(`Rename ${rename.name}…`, RENAME_KIND, ASKING.rename),
          ...(rename.isExported
            ? [
                action(`Rename ${rename.name}, and keep the exported name…`, RENAME_KIND, ASKING.rename, [
                  { keepExports: true },
                ]),
              ]
            : []),
        ]
      : []),
    ...(signature?.isHeader === true ? signatureActions(signature, canAsk, done) : []),
    ...(move?.isHeader !== true
      ? []
      : [
          ...(canAsk ? [action(`Move ${move.name} to a file…`, MOVE_KIND, ASKING.move)] : []),
          ...(move.to === null
            ? []
            : [
                done(`Move ${move.name} to ${move.to}`, MOVE_KIND, { kind: 'move', blocks: [move.block], to: move.to }),
              ]),
        ]),
  ];
}

function signatureActions(
  { block, name, isAsync }: NonNullable<HereReport['signature']>,
  canAsk: boolean,
  done: (title: string, kind: string, refactoring: Refactoring) => CodeAction,
): CodeAction[] {
  return [
    ...(canAsk ? [action(`Change the signature of ${name}…`, SIGNATURE_KIND, ASKING.signature)] : []),
    ...(isAsync === null
      ? []
      : [
          done(isAsync ? `Make ${name} no longer async` : `Make ${name} async`, ASYNC_KIND, {
            kind: 'signature',
            block,
            async: !isAsync,
          }),
        ]),
  ];
}

function action(title: string, kind: string, command: string, given?: object[]): CodeAction {
  const shown = shownInLine(title);
  return {
    title: shown,
    kind,
    command: { title: shown, command, ...(given === undefined ? {} : { arguments: given }) },
  };
}
