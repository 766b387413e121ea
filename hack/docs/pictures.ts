import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { findProgram, ProgramMissing } from '@dwd/lab/programs/find-program.ts';

/** The pictures of the inspector's views in `docs/inspector`; `packages/inspector/test/browser/take-pictures.ts` says what each of them shows. */
const pictures = [
  'night.png',
  'seed.png',
  'shoot.png',
  'turn.png',
  'chart.png',
  'why-not.png',
  'what-if.png',
  'service.png',
  'shoot-dark.png',
] as const;

export type Picture = (typeof pictures)[number];

/** In bytes: a clone of the repository holds every version of each. */
export const mostBytes = 150_000;

/** What README.md shows of `simulate`. It plays for twenty seconds, and a page that waits for it is closed. */
const film = { place: 'docs/simulator/outage.svg', mostBytes: 60_000 } as const;

/** Takes all of them anew, those of the inspector where there is a browser; says what it left out, or that it failed. */
export async function takePictures(root: string, say: (line: string) => void): Promise<boolean> {
  const filmed = spawnSync(process.execPath, [join(root, 'hack/docs/film-simulate.ts')], { stdio: 'inherit' });
  if (filmed.status !== 0) return false;
  try {
    await findProgram('chromium-headless-shell');
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    say(`LEFT OUT: the pictures in docs/inspector, since ${error.message}`);
    return true;
  }
  const { status } = spawnSync(process.execPath, [join(root, 'packages/inspector/test/browser/take-pictures.ts')], {
    stdio: 'inherit',
  });
  return status === 0;
}

/** What is wrong with the pictures as they are, a line each. Whether they look as the page does now is not compared: fonts differ from machine to machine. */
export function pictureFaults(root: string): readonly string[] {
  const shown = pictures.map((name) => ({
    place: `docs/inspector/${name}`,
    mostBytes,
    page: 'docs/inspector.md',
    link: `inspector/${name}`,
  }));
  return [...shown, { ...film, page: 'README.md', link: film.place }].flatMap(({ place, page, link, ...limit }) => {
    if (!existsSync(join(root, place))) return [`${place} is missing: npm run docs -- --pictures takes it`];
    const { size } = statSync(join(root, place));
    const isShown = readFileSync(join(root, page), 'utf8').includes(`](${link})`);
    return [
      ...(size > limit.mostBytes ? [`${place} has ${size} bytes, more than ${limit.mostBytes}`] : []),
      ...(isShown ? [] : [`${page} does not show ${link}`]),
    ];
  });
}
