import { commandLineScenes } from './command-line-scenes.ts';
import { configScenes } from './config-scenes.ts';
import { journalScenes } from './journal-scenes.ts';
import { kubeconfigScenes } from './kubeconfig-scenes.ts';
import { releaseScenes } from './release-scenes.ts';
import { statusScenes } from './status-scenes.ts';
import type { Scene } from './scene.ts';
import { seedScenes } from './seed-scenes.ts';
import { standingScenes } from './standing-scenes.ts';
import { storyScenes } from './story-scenes.ts';

/** All scenes, in the order of a night: from the help to a story. */
export const scenes: readonly Scene[] = [
  ...commandLineScenes,
  ...configScenes,
  ...kubeconfigScenes,
  ...seedScenes,
  ...standingScenes,
  ...journalScenes,
  ...statusScenes,
  ...releaseScenes,
  ...storyScenes,
];
