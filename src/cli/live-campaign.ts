/** A campaign as a page that follows it: what other processes write into its log is seen within a moment. */
import type { FleetReport } from '#protocol/fleet.js';
import type { LivePage } from '../daemon/page-server.js';
import type { CampaignStore } from '../io/fleet/campaign-store.js';
import { fleetPage } from '../page/fleet-page.js';

/** How soon what others wrote into the log is shown. */
const LOOK_MS = 500;

export function liveCampaign(store: CampaignStore, reportOf: () => FleetReport): LivePage {
  /** What the page depends on, but for the time. */
  const stamp = (): string => `${store.state().end} ${store.coordinator() ?? ''}`;
  let revision = 0;
  let seen = stamp();
  return {
    get revision() {
      return revision;
    },
    html: () => fleetPage(reportOf(), revision),
    onChanged: (listener) => {
      const timer = setInterval(() => {
        const now = stamp();
        if (now === seen) return;
        seen = now;
        revision++;
        listener();
      }, LOOK_MS);
      return () => clearInterval(timer);
    },
  };
}
