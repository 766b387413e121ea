import type { Alert } from './alert.ts';
import { presenceAlerts } from './presence-alerts.ts';
import { probingAlerts } from './probing-alerts.ts';
import { programAlerts } from './program-alerts.ts';
import { protectionAlerts } from './protection-alerts.ts';
import { seedAlerts } from './seed-alerts.ts';

/** By the title of their group, in the rules and in docs/runbooks.md. */
export const alertGroups: Readonly<Record<string, readonly Alert[]>> = {
  'Is it there?': presenceAlerts,
  'Are shoots protected?': protectionAlerts,
  'Does it see the shoots?': probingAlerts,
  'Does it reach the seed?': seedAlerts,
  'Is the program well?': programAlerts,
};

export const alerts: readonly Alert[] = Object.values(alertGroups).flat();
