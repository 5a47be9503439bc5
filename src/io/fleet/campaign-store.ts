/**
 * Campaigns as they lie on the disk, in the person's state folder.
 *
 *     <state>/fleet/<id>/
 *       campaign.json             what it is; written once, sealed
 *       changes/<sha-256>.json    change files, the campaign's own and those of libraries on the way
 *       events.log                all that happened; see sealed-log.ts
 *       coordinator               lock of the one process that hands work out
 *       repositories/<key>/       what workers on this machine keep of a repository; see workshop.ts
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { campaign as campaignSchema, campaignId, type Campaign } from '../../fleet/campaign.js';
import { event as eventSchema, type FleetEvent } from '../../fleet/event.js';
import { stateAtFirst, withEvents, type CampaignState } from '../../fleet/state.js';
import { isSystemError, realFileSystem, type FileSystem } from '../disk/file-system.js';
import { makePrivateFolder, stateFolder } from '../disk/folders.js';
import { writeAtomically } from '../disk/write-atomically.js';
import { holderOf, tryLock, type ProcessLock } from '../process/process-lock.js';
import { SealedLog } from './sealed-log.js';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const PRIVATE = { mode: 0o600, durable: true } as const;

export const fleetFolder = (environment: NodeJS.ProcessEnv): string => join(stateFolder(environment), 'fleet');

/** Names of all campaigns, in order. */
export function campaignIds(environment: NodeJS.ProcessEnv): string[] {
  const [folder, fs] = [fleetFolder(environment), realFileSystem];
  return isThere(fs, folder)
    ? fs
        .readdirSync(folder)
        .filter((name) => isThere(fs, join(folder, name, 'campaign.json')))
        .sort()
    : [];
}

/** Throws the file system's error where that cannot be said. */
const isThere = (fs: FileSystem, path: string): boolean => fs.statSync(path, { throwIfNoEntry: false }) !== undefined;

interface Seen {
  readonly state: CampaignState;
  readonly damaged: number;
  /** How much of the log is in it. */
  readonly end: number;
}

export class CampaignStore {
  private readonly log: SealedLog<FleetEvent>;
  private seen: Seen;

  private constructor(
    private readonly fs: FileSystem,
    readonly folder: string,
    readonly campaign: Campaign,
  ) {
    this.log = new SealedLog(fs, join(folder, 'events.log'), (value) => {
      const parsed = eventSchema.safeParse(value);
      return parsed.success ? parsed.data : undefined;
    });
    this.seen = { state: stateAtFirst(campaign), damaged: 0, end: 0 };
  }

  /** `changeText`: the change file whose digest the campaign names. Throws ServiceError: settings, write. */
  static create(
    environment: NodeJS.ProcessEnv,
    campaign: Campaign,
    changeText: string,
    fs: FileSystem = realFileSystem,
  ): CampaignStore {
    const folder = join(fleetFolder(environment), campaign.id);
    try {
      if (isThere(fs, join(folder, 'campaign.json')))
        throw new ServiceError(
          'settings',
          `there is a campaign ${campaign.id} already; go on with "codeplan fleet run ${campaign.id}", or give ` +
            'another --name',
        );
      makePrivateFolder(join(folder, 'changes'), fs);
      makePrivateFolder(join(folder, 'repositories'), fs);
      const store = new CampaignStore(fs, folder, campaign);
      store.keepChange(changeText);
      const text = JSON.stringify(campaign);
      // Last: a campaign is there once this is.
      writeAtomically(fs, join(folder, 'campaign.json'), `${digestOf(text)} ${text}\n`, PRIVATE);
      return store;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw new ServiceError('write', `cannot write the campaign to ${shownName(folder)}: ${error.message}`);
    }
  }

  /** Throws ServiceError: settings. */
  static open(environment: NodeJS.ProcessEnv, id: string, fs: FileSystem = realFileSystem): CampaignStore {
    const folder = join(fleetFolder(environment), id);
    const known = (): string => {
      const ids = campaignIds(environment);
      return ids.length === 0 ? 'make one with "codeplan fleet plan"' : `there are ${ids.join(', ')}`;
    };
    if (!campaignId.safeParse(id).success || !isThere(fs, join(folder, 'campaign.json')))
      throw new ServiceError('settings', `there is no campaign ${shownName(id)}; ${known()}`);
    const line = fs.readFileSync(join(folder, 'campaign.json'), 'utf8').trimEnd();
    const text = line.slice(line.indexOf(' ') + 1);
    if (line.slice(0, line.indexOf(' ')) !== digestOf(text))
      throw new ServiceError(
        'settings',
        `${shownName(join(folder, 'campaign.json'))} is damaged; plan the campaign anew`,
      );
    return new CampaignStore(fs, folder, campaignSchema.parse(JSON.parse(text)));
  }

  append(...events: readonly FleetEvent[]): void {
    this.log.append(events);
  }

  /** What it is now, and how many lines of its log cannot be read. Only what is new since the last call is read. */
  state(): Seen {
    const size = this.fs.lstatSync(this.log.path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === this.seen.end) return this.seen;
    const { events, damaged, end } = this.log.read(this.seen.end);
    this.seen = { state: withEvents(this.seen.state, events), damaged: this.seen.damaged + damaged, end };
    return this.seen;
  }

  /** Gives its digest, which is its name. */
  keepChange(text: string): string {
    const digest = digestOf(text);
    if (!isThere(this.fs, this.changePath(digest))) writeAtomically(this.fs, this.changePath(digest), text, PRIVATE);
    return digest;
  }

  changePath(digest: string): string {
    return join(this.folder, 'changes', `${digest}.json`);
  }

  workshop(key: string): string {
    return join(this.folder, 'repositories', key);
  }

  /** The right to hand work out; undefined while another process has it, whose id `coordinator` gives. */
  coordinate(): ProcessLock | undefined {
    return tryLock(join(this.folder, 'coordinator'));
  }

  coordinator(): number | undefined {
    return holderOf(join(this.folder, 'coordinator'));
  }

  /** What workers kept of the repositories, with their branches. */
  removeWorkshops(): void {
    this.fs.rmSync(join(this.folder, 'repositories'), { recursive: true, force: true });
  }
}
