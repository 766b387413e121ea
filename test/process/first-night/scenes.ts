import { commandLineScenes } from './command-line-scenes.ts';
import { configScenes } from './config-scenes.ts';
import { journalScenes } from './journal-scenes.ts';
import { kubeconfigScenes } from './kubeconfig-scenes.ts';
import { releaseScenes } from './release-scenes.ts';
import { statusScenes } from './status-scenes.ts';
import type { NightScene } from './scene.ts';
import { seedScenes } from './seed-scenes.ts';
import { standingScenes } from './standing-scenes.ts';
import { storyScenes } from './story-scenes.ts';

/** All scenes, in the order of a night: from the help to a story. */
export const chapters: readonly Readonly<{ title: string; scenes: readonly NightScene[] }>[] = [
  { title: 'The command line', scenes: commandLineScenes },
  { title: 'The configuration', scenes: configScenes },
  { title: 'The kubeconfig', scenes: kubeconfigScenes },
  { title: 'The seed', scenes: seedScenes },
  { title: 'Shoots and services', scenes: standingScenes },
  { title: 'The journal', scenes: journalScenes },
  { title: '`status`', scenes: statusScenes },
  { title: '`release`', scenes: releaseScenes },
  { title: '`simulate`', scenes: storyScenes },
];

export const scenes: readonly NightScene[] = chapters.flatMap((chapter) => chapter.scenes);
