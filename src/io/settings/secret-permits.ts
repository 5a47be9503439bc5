/**
 * What looks like a secret and the person had sent to a model anyway, one by one.
 *
 *     <state folder>/fingerprint-salt                  32 random bytes in hexadecimal
 *     <state folder>/<root key>/sent-anyway.json       { root, fingerprints }
 *     <state folder>/<root key>/held-back.json         the same form: what can be allowed
 *
 * A fingerprint is of one value, in one file, by one rule, in one repository. The salt never leaves
 * the machine, so that nobody learns a password by trying words on a fingerprint in a log. Nothing in a
 * repository can allow anything.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { ServiceError } from '../../engine/service.js';
import { isSystemError, realFileSystem, type FileSystem } from '../disk/file-system.js';
import { makePrivateFolder, rootKey } from '../disk/folders.js';
import { writeAtomically } from '../disk/write-atomically.js';

const FILE = 'sent-anyway.json';
const HELD_FILE = 'held-back.json';
/** The oldest are forgotten; they are told again when they are held back again. */
const HELD_MOST = 1000;
const SALT_FILE = 'fingerprint-salt';
const SALT = /^[0-9a-f]{64}$/u;
/** 64 bits of the keyed digest: told apart among all that one repository holds, and short enough to be read out. */
const FINGERPRINT_DIGITS = 16;

const record = z.strictObject({ root: z.string(), fingerprints: z.array(z.string()) });

/** What a model adapter asks before it holds a request back. */
export interface Permits {
  /** `<rule>:<16 hexadecimal digits>`. */
  fingerprintOf(file: string, rule: string, value: string): string;
  isAllowed(fingerprint: string): boolean;
  /** That these were held back, so that each can be allowed. */
  noteHeld(fingerprints: readonly string[]): void;
}

export class SecretPermits implements Permits {
  private readonly folder: string;
  private readonly ownSalt = randomBytes(32).toString('hex');

  constructor(
    private readonly stateFolder: string,
    private readonly realRoot: string,
    private readonly fs: FileSystem = realFileSystem,
  ) {
    this.folder = join(stateFolder, rootKey(realRoot));
  }

  fingerprintOf(file: string, rule: string, value: string): string {
    const digest = createHmac('sha256', this.salt()).update(JSON.stringify([this.realRoot, file, rule, value]));
    return `${rule}:${digest.digest('hex').slice(0, FINGERPRINT_DIGITS)}`;
  }

  isAllowed(fingerprint: string): boolean {
    return this.all().includes(fingerprint);
  }

  /** All that are allowed; what cannot be read allows nothing. */
  all(): readonly string[] {
    return this.listed(FILE);
  }

  noteHeld(fingerprints: readonly string[]): void {
    try {
      const known = this.known(HELD_FILE);
      const added = fingerprints.filter((one) => !known.includes(one));
      if (added.length > 0) this.remember(HELD_FILE, [...known, ...added].slice(-HELD_MOST));
    } catch (error) {
      // Holding back needs no folder; allowing says what is wrong with it.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  private listed(name: string): readonly string[] {
    return this.inText(this.read(join(this.folder, name)));
  }

  /** As `listed`, for who writes it anew. Throws ServiceError: settings, where it is there and cannot be read. */
  private known(name: string): readonly string[] {
    return this.inText(this.readOrSay(this.folder, name));
  }

  private inText(text: string | undefined): readonly string[] {
    if (text === undefined) return [];
    try {
      const read = record.parse(JSON.parse(text));
      return read.root === this.realRoot ? read.fingerprints : [];
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return [];
      throw error;
    }
  }

  /** Throws ServiceError: settings, when it cannot be remembered, or when nothing of that fingerprint was held back. */
  allow(fingerprints: readonly string[]): void {
    const all = this.known(FILE);
    const known = new Set([...all, ...this.known(HELD_FILE)]);
    const unknown = fingerprints.filter((one) => !known.has(one));
    if (unknown.length > 0)
      throw new ServiceError(
        'settings',
        `nothing of this repository was held back as ${unknown.join(', ')}, so there is nothing to allow; ` +
          'run it without, and copy the fingerprint from the message that says what was held back',
      );
    this.remember(FILE, [...new Set([...all, ...fingerprints])]);
  }

  /** Takes one back, or all. Gives how many were allowed. Throws ServiceError: settings. */
  withdraw(fingerprint?: string): number {
    const all = this.known(FILE);
    const rest = fingerprint === undefined ? [] : all.filter((one) => one !== fingerprint);
    if (rest.length !== all.length) this.remember(FILE, rest);
    return all.length - rest.length;
  }

  private remember(name: string, fingerprints: readonly string[]): void {
    this.write(this.folder, name, `${JSON.stringify({ root: this.realRoot, fingerprints })}\n`);
  }

  private salt(): string {
    try {
      const known = this.readOrSay(this.stateFolder, SALT_FILE)?.trim();
      if (known !== undefined && SALT.test(known)) return known;
      this.write(this.stateFolder, SALT_FILE, `${this.ownSalt}\n`);
    } catch (error) {
      // Holding back needs no folder; allowing says what is wrong with it.
      if (error instanceof ServiceError) return this.ownSalt;
      throw error;
    }
    // Another process may have written one at the same time: the last one counts for both.
    return this.read(join(this.stateFolder, SALT_FILE))?.trim() ?? this.ownSalt;
  }

  /** What cannot be read is not written over: all that was said before would be lost. */
  private readOrSay(folder: string, name: string): string | undefined {
    try {
      return this.fs.readFileSync(join(folder, name), 'utf8');
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return undefined;
      throw notRemembered(folder, error);
    }
  }

  private read(path: string): string | undefined {
    try {
      return this.fs.readFileSync(path, 'utf8');
    } catch (error) {
      if (isSystemError(error)) return undefined;
      throw error;
    }
  }

  private write(folder: string, name: string, text: string): void {
    try {
      makePrivateFolder(folder, this.fs);
      writeAtomically(this.fs, join(folder, name), text, { mode: 0o600, durable: true });
    } catch (error) {
      throw notRemembered(folder, error);
    }
  }
}

function notRemembered(folder: string, error: unknown): ServiceError {
  return new ServiceError(
    'settings',
    `cannot remember in ${folder} what may be sent: ` +
      `${error instanceof Error ? error.message : String(error)}; set XDG_STATE_HOME to a folder of yours`,
  );
}
