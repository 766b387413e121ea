import type { Reader, Reply, Route } from '../../adapters/http/http-server.ts';
import type { Instant } from '../../domain/time.ts';
import type { Episodes, Kind, Services, Shoots } from '../wire/wire.ts';
import { askedSpan, BadQuery } from './asked-span.ts';
import type { History } from './history.ts';
import type { PageAssets } from './page-assets.ts';

export type InspectorRoutes = Readonly<{
  routes: Readonly<Record<string, Route>>;
  routeOf: (path: string) => Route | undefined;
}>;

/** Whatever is served: nothing from elsewhere is loaded, and no other page may show or read it. */
const guarding = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** The page, and what it reads, as docs/inspector.md has it. */
export function inspectorRoutes(
  history: History,
  page: () => Promise<PageAssets>,
  now: () => Instant,
): InspectorRoutes {
  return {
    routes: {
      '/': async (_, reader) => asset((await page()).html, reader),
      '/page.js': async (_, reader) => asset((await page()).script, reader),
      '/page.css': async (_, reader) => asset((await page()).style, reader),
      '/about': () => json(history.about()),
      '/shoots': () => json({ now: now(), shoots: history.rows().shoots } satisfies Shoots),
      '/services': () => json({ now: now(), services: history.rows().services } satisfies Services),
      '/episodes': () => json({ now: now(), episodes: history.episodes() } satisfies Episodes),
    },
    routeOf(path) {
      const named = machinePath(path);
      if (named === undefined || named.what !== 'turns') return undefined;
      return readable(async (query) => {
        const found = await history.turnsOf(named, askedSpan(query, now()));
        if (found === undefined) return plain(404, `no event of ${named.subject} is recorded`);
        return reply('application/json', turnPieces(found));
      });
    },
  };
}

type MachinePath = Readonly<{ kind: Kind; subject: string; what: string }>;

/** `/shoots/NAME/turns`, `/services/NAMESPACE/NAME/turns`; each name is one segment, with `%2F` for a slash in it. */
function machinePath(path: string): MachinePath | undefined {
  const [empty, room, ...segments] = path.split('/');
  const what = segments.pop();
  if (empty !== '' || what === undefined || segments.some((segment) => segment === '')) return undefined;
  try {
    const names = segments.map(decodeURIComponent);
    if (room === 'shoots' && names.length === 1) return { kind: 'shoot', subject: names[0] ?? '', what };
    if (room === 'services' && names.length === 2) return { kind: 'weeder', subject: names.join('/'), what };
    return undefined;
  } catch {
    return undefined;
  }
}

function* turnPieces({
  turns,
  earlier,
  later,
}: Readonly<{ turns: readonly string[]; earlier: boolean; later: boolean }>): Iterable<Buffer> {
  yield Buffer.from(`{"earlier":${earlier},"later":${later},"turns":[`);
  for (const [index, turn] of turns.entries()) yield Buffer.from(`${index === 0 ? '' : ','}\n${turn}`);
  yield Buffer.from(']}\n');
}

/** Answers a query that cannot be read with what is expected. */
function readable(route: Route): Route {
  return async (query, reader) => {
    try {
      return await route(query, reader);
    } catch (error) {
      if (!(error instanceof BadQuery)) throw error;
      return plain(400, error.message);
    }
  };
}

function asset({ contentType, body, gzipped }: PageAssets[keyof PageAssets], reader?: Reader): Reply {
  if (reader?.takesGzip !== true) return reply(contentType, body);
  return { status: 200, contentType, body: gzipped, headers: { ...guarding, 'content-encoding': 'gzip' } };
}

function json(value: unknown): Reply {
  return reply('application/json', `${JSON.stringify(value)}\n`);
}

function reply(contentType: string, body: Reply['body']): Reply {
  return { status: 200, contentType, body, headers: guarding };
}

function plain(status: number, text: string): Reply {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${text}\n`, headers: guarding };
}
