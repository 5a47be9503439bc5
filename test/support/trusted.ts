/** What `codeplan trust --yes` does, for tests that are about what comes after it. */
import { stateFolder } from '#src/io/disk/folders.js';
import { trustOffer } from '#src/io/settings/trust-offer.js';
import { grantTrust } from '#src/io/settings/trust.js';

export async function trustRepository(
  root: string,
  environment: NodeJS.ProcessEnv,
  ...oracles: readonly string[]
): Promise<void> {
  const offer = await trustOffer({ realRoot: root, environment }, oracles, new AbortController().signal);
  grantTrust(stateFolder(environment), root, offer.grants);
}
