import type { About, Episodes, Services, Shoots } from '../../wire/wire.ts';
import { after, browserNow, type Cancel } from '../browser-clock.ts';
import { carried } from './carried.ts';
import { connectionLost, noStream, type Connection } from './connection.ts';
import { NoAnswer } from './no-answer.ts';
import { getJson, followStream } from './server.ts';
import { createStore } from './store.ts';
import { afterMessage, afterAbout, nothingHeard, type Message } from './server-state.ts';

/** What the server said, and how the page stands to it. There is one server, so there is one of each. */
export const serverState = createStore(nothingHeard);
export const connection = createStore<Connection>({ state: 'connecting' });

/** In calm the stream says nothing: so often the page asks whether there is still somebody, and how many turns there are by now. */
const askedEvery = 20_000;

let stop: Cancel = () => undefined;

/** Follows the server as long as the page is open. */
export function connect(): void {
  if (carried !== undefined) return void takeAll();
  open();
  askAgain();
}

/** All that there is, of a page that needs no server. */
async function takeAll(): Promise<void> {
  const answer = await asked();
  if (!('because' in answer)) for (const message of answer) take(message);
}

function open(): void {
  stop = followStream<Message['name']>(
    '/events',
    {
      about: (data) => take({ name: 'about', data }),
      rows: (data) => take({ name: 'rows', data }),
      episodes: (data) => take({ name: 'episodes', data }),
    },
    { opened: () => void opened(), lost: () => void lose() },
  );
}

async function opened(): Promise<void> {
  connection.set({ state: 'open' });
  // What a stream begins with may be some seconds old. This tells what time it is now.
  await askWhetherThere();
}

function take(message: Message): void {
  serverState.set(afterMessage(serverState.get(), message, browserNow()));
  const { about, begun } = serverState.get();
  if (about?.live !== false || !begun.rows || !begun.episodes) return;
  // Files change no more. The server need not hold a stream open for a page that knows all, or asks for it.
  stop();
  if (connection.get().state !== 'complete') void untilRead(about.reading);
  connection.set({ state: 'complete' });
}

/** Files may still be read: so often the page asks how far that is. */
const askedWhileRead = 1_000;

/** Asks how far files are read, and, with each step of that, for all that there is. */
async function untilRead(reading: About['reading']): Promise<void> {
  for (let shown = reading; shown !== null;) {
    await new Promise<void>((go) => after(askedWhileRead, go));
    const about = await answered(async () => await getJson<About>('/about'));
    if ('because' in about) {
      connection.set(connectionLost(connection.get(), browserNow()));
      return open();
    }
    serverState.set(afterAbout(serverState.get(), about, browserNow()));
    if (about.reading?.step === shown.step) continue;
    const all = await asked();
    if ('because' in all) continue;
    for (const message of all) take(message);
    shown = about.reading;
  }
}

/** A stream does not say why it was refused. What answers to a plain question does; then all is asked for that way until the stream is back. */
async function lose(): Promise<void> {
  connection.set(connectionLost(connection.get(), browserNow()));
  const answer = await asked();
  const now = connection.get();
  if (now.state === 'lost') connection.set({ ...now, because: 'because' in answer ? answer.because : noStream });
  if ('because' in answer) return;
  for (const message of answer) take(message);
}

function askAgain(): void {
  after(askedEvery, () => {
    if (connection.get().state === 'open') void askWhetherThere();
    askAgain();
  });
}

async function askWhetherThere(): Promise<void> {
  const answer = await answered(async () => await getJson<About>('/about'));
  if (connection.get().state !== 'open') return;
  if (!('because' in answer)) return serverState.set(afterAbout(serverState.get(), answer, browserNow()));
  // A connection may die without a word, and its stream would wait for ever.
  stop();
  connection.set({ ...connectionLost(connection.get(), browserNow()), because: answer.because });
  open();
}

/** All that a stream begins with. `because`: what was answered instead; null where nothing was. */
async function asked(): Promise<readonly Message[] | Readonly<{ because: string | null }>> {
  return await answered(async () => {
    const about = await getJson<About>('/about');
    const { turns, firstAt, lastAt } = about;
    const [{ now, shoots }, { services }, { episodes }] = await Promise.all([
      getJson<Shoots>('/shoots'),
      getJson<Services>('/services'),
      getJson<Episodes>('/episodes'),
    ]);
    return [
      { name: 'about', data: about },
      { name: 'rows', data: { now, shoots, services, gone: [], read: { turns, firstAt, lastAt } } },
      { name: 'episodes', data: { episodes } },
    ];
  });
}

async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer | Readonly<{ because: string | null }>> {
  try {
    return await ask();
  } catch (error) {
    return { because: error instanceof NoAnswer && error.status !== null ? error.message : null };
  }
}
