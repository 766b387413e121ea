import type { Dashboard } from './panel.ts';
import { programDashboard } from './program-dashboard.ts';
import { seedDashboard } from './seed-dashboard.ts';
import { shootDashboard } from './shoot-dashboard.ts';
import { weederDashboard } from './weeder-dashboard.ts';

export const dashboards: readonly Dashboard[] = [seedDashboard, shootDashboard, weederDashboard, programDashboard];
