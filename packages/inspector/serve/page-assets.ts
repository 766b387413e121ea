import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** One file of the page, plain and compressed. */
type PageAsset = Readonly<{ contentType: string; body: Buffer; gzipped: Buffer }>;

export type PageAssets = Readonly<Record<keyof typeof builtFiles, PageAsset>>;

/** Where a build has the page's files, beside the program (hack/build/write-page.ts). */
export const builtFiles = {
  html: 'page/index.html',
  script: 'page/page.js',
  style: 'page/page.css',
  runbooks: 'page/runbooks.md',
} as const;

const contentTypes = {
  html: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
  // A browser shows it as it is.
  runbooks: 'text/plain; charset=utf-8',
} as const;

/** Only a build has it (src/commands/build.ts). */
declare const bakedVersion: string;

/**
 * The files of the inspector's page, for one server. A role's memory holds none of them before somebody asks for one; then they are read,
 * or, from the sources, bundled: once. Rejects with a remedy where they cannot be had, and tries again when it is asked again.
 */
export function pageAssets(): () => Promise<PageAssets> {
  let assets: Promise<PageAssets> | undefined;
  return async () => {
    assets ??= readAssets();
    try {
      return await assets;
    } catch (error) {
      assets = undefined;
      throw error;
    }
  };
}

async function readAssets(): Promise<PageAssets> {
  const { html, script, style, runbooks } = await (typeof bakedVersion === 'string' ? builtPage() : pageOfSources());
  const [htmlAsset, scriptAsset, styleAsset, runbooksAsset] = await Promise.all([
    asset('html', html),
    asset('script', script),
    asset('style', style),
    asset('runbooks', runbooks),
  ]);
  return { html: htmlAsset, script: scriptAsset, style: styleAsset, runbooks: runbooksAsset };
}

type Texts = Readonly<Record<keyof typeof builtFiles, string>>;

async function builtPage(): Promise<Texts> {
  const [html, script, style, runbooks] = await Promise.all([
    readBuilt('html'),
    readBuilt('script'),
    readBuilt('style'),
    readBuilt('runbooks'),
  ]);
  return { html, script, style, runbooks };
}

async function readBuilt(file: keyof typeof builtFiles): Promise<string> {
  return await readFile(new URL(builtFiles[file], import.meta.url), 'utf8');
}

/** More is no page. */
const mostPageBytes = 16 * 1024 * 1024;

/** In a process of its own: the bundler takes 150 MiB, which would stay with the program for as long as it runs. */
async function pageOfSources(): Promise<Texts> {
  const bundler = JSON.stringify(new URL('./bundle-page.ts', import.meta.url).href);
  const script = `const { bundlePage } = await import(${bundler}); process.stdout.write(JSON.stringify(await bundlePage()));`;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      maxBuffer: mostPageBytes,
    });
    return JSON.parse(stdout) as Texts;
  } catch (error) {
    if (!(error as Error).message.includes('ERR_MODULE_NOT_FOUND')) throw error;
    throw new Error(
      'the inspector bundles its page from the sources with rolldown, which is not installed here: run `npm ci`, or start a build (`npm run build`)',
      { cause: error },
    );
  }
}

async function asset(file: keyof typeof builtFiles, text: string): Promise<PageAsset> {
  const body = Buffer.from(text);
  return { contentType: contentTypes[file], body, gzipped: await promisify(gzip)(body, { level: 9 }) };
}

/** Where a browser on this machine finds the page. A server that listens on all addresses listens on this one, too. */
export function pageLink(host: string | undefined, port: number): string {
  const reached = host === undefined || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/`;
}
