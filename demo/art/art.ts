// Renders the demo publisher's art, whole scenes or single pictures of them:
// npm run art -- lantern-court
// npm run art -- --draft neon-meridian/neon-meridian-hero-wide
// A draft is small and coarse, and writes only the master in .pointgate/art.
// --kept renders nothing and writes the portal's files from the existing masters.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { writeKeyArt, writeThing } from './files.ts';
import { graded, gradedCutOut } from './grade.ts';
import { layOver } from './overlay.ts';
import { openRenderer, type Renderer } from './renderer.ts';
import { type Picture, type Size, thing } from './scene.ts';
import { scenes } from './scenes.ts';
import { laySheets } from './sheets.ts';

const root = join(import.meta.dirname, '../..');
const masters = join(root, '.pointgate/art');
const shipped = join(root, 'portal/public/art');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    draft: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
    scale: { type: 'string' },
    samples: { type: 'string' },
  },
});
const scale = Number(values.scale ?? (values.draft ? 0.25 : 1));

const wanted = Object.entries(scenes).flatMap(([scene, pictures]) =>
  pictures
    .filter(({ name }) => positionals.includes(scene) || positionals.includes(`${scene}/${name}`))
    .map((picture) => ({ scene, picture })),
);

if (wanted.length === 0) {
  process.stderr.write(`Name a scene, or scene/picture: ${Object.keys(scenes).join(', ')}\n`);
  process.exitCode = 2;
} else {
  mkdirSync(masters, { recursive: true });
  const renderer = values.kept ? undefined : await openRenderer();
  try {
    for (const { scene, picture } of wanted) await make(renderer, scene, picture);
  } finally {
    await renderer?.close();
  }
}

async function make(
  renderer: Renderer | undefined,
  scene: string,
  picture: Picture,
): Promise<void> {
  const master = join(masters, `${picture.name}.png`);
  if (renderer !== undefined) await drawMaster(renderer, scene, picture, master);
  if (values.draft) return;
  const files =
    picture.kind === 'key-art'
      ? await writeKeyArt(picture, master, shipped)
      : await writeThing(picture, master, shipped);
  for (const file of files) say(`${String(statSync(file).size).padStart(8)} ${basename(file)}\n`);
}

async function drawMaster(
  renderer: Renderer,
  scene: string,
  picture: Picture,
  master: string,
): Promise<void> {
  const full: Size = picture.kind === 'key-art' ? picture : thing;
  const size = { width: Math.round(full.width * scale), height: Math.round(full.height * scale) };
  const image = await renderer.draw({
    ...size,
    shader: shaderText(scene, picture.shader),
    samples: Number(values.samples ?? (values.draft ? 1 : picture.samples)),
    uniforms: picture.uniforms,
    progress: (percent) => say(`\r${picture.name} ${percent} % `),
  });
  if (picture.kind === 'thing') {
    const pixels = gradedCutOut(image, picture.exposure, picture.saturation);
    await sharp(pixels, { raw: { ...size, channels: 4 } }).toFile(master);
  } else {
    const mask = picture.sheets
      ? await laySheets(image, picture.sheets(size))
      : await layOver(image, picture.overlay?.(size));
    const pixels = graded(image, picture.grade, mask);
    await sharp(pixels, { raw: { ...size, channels: 3 } }).toFile(master);
  }
  say(`\r${picture.name} ${size.width} x ${size.height}\n`);
}

function shaderText(scene: string, shader: string): string {
  const art = import.meta.dirname;
  const own = readFileSync(join(art, 'scenes', scene, shader), 'utf8');
  const whole = own.replace(/^#include "(.+)"$/gm, (_, file: string) =>
    readFileSync(join(art, file), 'utf8'),
  );
  return readFileSync(join(art, 'common.glsl'), 'utf8') + whole;
}

function say(text: string): void {
  process.stdout.write(text);
}
