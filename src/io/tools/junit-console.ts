/**
 * Where JUnit's console launcher is: the class path in `JUNIT_CONSOLE`, else the newest one that Maven has
 * fetched, else Debian's.
 */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface JunitConsole {
  readonly classPath: string;
  /** Whether it runs tests by a command of that name: since 1.10. */
  readonly hasExecute: boolean;
}

const MAVEN = ['.m2', 'repository', 'org', 'junit', 'platform', 'junit-platform-console-standalone'];
const DEBIAN = '/usr/share/java/junit-platform-console-standalone.jar';
export const NO_JUNIT =
  "JUnit's console launcher is not found: set JUNIT_CONSOLE to the path of junit-platform-console-standalone.jar";

export function junitConsole(environment: Readonly<Record<string, string | undefined>>): JunitConsole | undefined {
  const named = environment['JUNIT_CONSOLE'];
  if (named !== undefined && named !== '') {
    const isThere = named.split(delimiter).some((place) => existsSync(place.replace(/\*$/, '')));
    return isThere ? { classPath: named, hasExecute: isSince110(named) } : undefined;
  }
  const folder = join(environment['HOME'] ?? '', ...MAVEN);
  const newest = versionsIn(folder)
    .map((version) => join(folder, version, `junit-platform-console-standalone-${version}.jar`))
    .find((path) => existsSync(path));
  if (newest !== undefined) return { classPath: newest, hasExecute: isSince110(newest) };
  return existsSync(DEBIAN) ? { classPath: DEBIAN, hasExecute: false } : undefined;
}

/** Newest first. */
function versionsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

function isSince110(classPath: string): boolean {
  const [, major = '0', minor = '0'] = /junit-platform-console(?:-standalone)?-(\d+)\.(\d+)/.exec(classPath) ?? [];
  return Number(major) > 1 || (major === '1' && Number(minor) >= 10);
}
