/**
 * What the text and name of a member say of who fills it, and of who runs it.
 */
import { languageById } from '../languages/registry.js';
import { isFieldLike } from '../syntax/summary.js';
import type { BlockVersion } from './version.js';

export const memberText = ({ version: { summary, text }, decl }: BlockVersion): string =>
  text.slice(summary.decls.startOf(decl), summary.decls.endOf(decl));

/** Whether who makes an object has to give it a value. */
export const mustBeGiven = (block: BlockVersion): boolean =>
  isFieldLike(block.version.summary.decls.kindOf(block.decl)) &&
  languageById(block.version.summary.language).writing.mustBeGiven?.(memberText(block)) === true;

/** Whether code may run it without a word that leads there. */
export const isUnseen = ({ version: { summary }, decl }: BlockVersion): boolean =>
  languageById(summary.language).unseenMembers?.has(summary.decls.nameOf(decl)) === true;
