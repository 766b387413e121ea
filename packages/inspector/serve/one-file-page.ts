import { createHash } from 'node:crypto';
import { JournalUnusable } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import type { Kind } from '../wire/wire.ts';
import type { History } from './history.ts';
import type { PageAssets } from './page-assets.ts';
import { mostTurns } from './queries.ts';

/** In characters: a browser opens it in some seconds, and a ticket takes it. */
const mostCharacters = 64 * 1_048_576;

/**
 * The page as one file that needs no server: its script and its style, and what a server would answer, of each machine the youngest turns. It may
 * load nothing, and run nothing but its own script. Rejects with JournalUnusable where it would be too long.
 */
export async function oneFilePage(
  history: History,
  { html, script, style }: Pick<PageAssets, 'html' | 'script' | 'style'>,
  most: number = mostCharacters,
): Promise<string> {
  const answers: string[] = [];
  let characters = 0;
  function add(path: string, json: string): void {
    const answer = `${JSON.stringify(path)}:${json}`;
    characters += answer.length;
    if (characters > most)
      throw new JournalUnusable(
        `the page would have more than ${Math.floor(most / 1_048_576)} MiB; --since, --until and --shoot choose a part of it`,
      );
    answers.push(answer);
  }

  const { now } = history.about();
  const { shoots, services } = history.rows();
  const episodes = history.episodes.episodes();
  add('/about', JSON.stringify(history.about()));
  add('/shoots', JSON.stringify({ now, shoots }));
  add('/services', JSON.stringify({ now, services }));
  add('/episodes', JSON.stringify({ now, episodes }));
  const machines = new Map<string, Readonly<{ kind: Kind; subject: string }>>([
    ...shoots.map(({ shoot: subject }) => [subject, { kind: 'shoot', subject }] as const),
    ...services.map(({ service: subject }) => [subject, { kind: 'weeder', subject }] as const),
    // One that is no more has no row.
    ...episodes.map(({ machine: kind, subject }) => [subject, { kind, subject }] as const),
  ]);
  for (const machine of machines.values()) {
    const found = await history.turnsOf(machine, { from: -Infinity, until: Infinity, most: mostTurns });
    if (found === undefined) continue;
    const { turns, earlier, later } = found;
    const room = machine.kind === 'shoot' ? 'shoots' : 'services';
    const path = `/${room}/${machine.subject.split('/').map(encodeURIComponent).join('/')}/turns`;
    add(path, `{"earlier":${earlier},"later":${later},"turns":[${turns.join(',')}]}`);
  }

  const own = { script: String(script.body).replaceAll(/<(?=\/script|!--)/gi, '\\x3c'), style: String(style.body) };
  const policy = `default-src 'none'; script-src '${hashOf(own.script)}'; style-src '${hashOf(own.style)}'; img-src data:`;
  // Whatever a name holds, it ends no element.
  const carried = `{${answers.join(',\n')}}`.replaceAll('<', String.raw`\u003c`);
  return String(html.body)
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${own.style}</style>`)
    .replace(/<script[^>]*><\/script>/, '')
    .replace('<head>', () => `<head><meta http-equiv="content-security-policy" content="${policy}">`)
    .replace(
      '</body>',
      () =>
        `<script type="application/json" id="carried">${carried}</script><script type="module">${own.script}</script></body>`,
    );
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
