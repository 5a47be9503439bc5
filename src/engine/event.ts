/**
 * Everything that can change what the engine knows, as one closed union.
 *
 * Events wait in one queue and are taken in batches, in order; whoever reads a snapshot sees all
 * events that were posted before.
 */
import type { Summary } from '../syntax/summary.js';

export type ClientId = string;

/** A source file as it lies on the disk. */
export interface DiskFile {
  readonly summary: Summary;
  /** SHA-256 of the bytes. */
  readonly digest: string;
  readonly byteOrderMark: boolean;
}

/** How an earlier tree differs from the disk's: by path what was there; undefined: no file. */
export interface EarlierTree {
  readonly files: ReadonlyMap<string, EarlierFile | undefined>;
  /** Files that have another path now, old to new. */
  readonly renames: ReadonlyMap<string, string>;
}

export interface EarlierFile {
  readonly summary: Summary;
  readonly text: string;
}

export type HostEvent =
  /** Files came, changed or went (undefined). `refused`: why a file is not read, undefined when it is again. */
  | {
      readonly kind: 'disk';
      readonly files: ReadonlyMap<string, DiskFile | undefined>;
      readonly configs: ReadonlyMap<string, string | undefined>;
      readonly refused: ReadonlyMap<string, string | undefined>;
    }
  /** A client opened a file or changed its unsaved text. */
  | {
      readonly kind: 'overlay';
      readonly client: ClientId;
      readonly path: string;
      readonly text: string;
      readonly version: number;
      /** What another host has read the text as. */
      readonly read?: Summary;
    }
  | { readonly kind: 'overlayClosed'; readonly client: ClientId; readonly path: string }
  | { readonly kind: 'clientGone'; readonly client: ClientId }
  /** What is there becomes the baseline of a client, or of all; with `before`, but for these files. */
  | { readonly kind: 'settled'; readonly client: ClientId | undefined; readonly before?: EarlierTree }
  /** What files held at the baseline of all, for those whose summaries alone were known. */
  | { readonly kind: 'earlierTexts'; readonly files: ReadonlyMap<string, EarlierFile> }
  /** What a client's baseline was before it last settled counts again. */
  | { readonly kind: 'unsettled'; readonly client: ClientId };
