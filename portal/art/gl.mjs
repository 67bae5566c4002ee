// Offline shader renderer: headless Chromium (SwiftShader, no GPU needed) -> raw pixels -> sharp.
// Tiles keep each draw call short; N jittered samples per pixel give anti-aliasing and soft effects.
import { chromium } from 'playwright';

export async function openGL() {
  const browser = await chromium.launch({
    // biome-ignore lint/style/noProcessEnv: a tool for the artist's machine, not part of the shop.
    executablePath: process.env.CHROME_PATH,
    args: [
      '--headless',
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
      '--disable-gpu-watchdog',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const page = await browser.newPage();
  page.on('console', (m) => console.log('[gl]', m.text()));
  await page.evaluate(() => {
    const c = document.createElement('canvas');
    const gl = c.getContext('webgl2', { antialias: false, alpha: true, premultipliedAlpha: true });
    gl.getExtension('EXT_color_buffer_float');
    const vs = '#version 300 es\nin vec2 p;void main(){gl_Position=vec4(p,0.,1.);}';
    const buf = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buf);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
    const sh = (t, s) => {
      const o = gl.createShader(t);
      gl.shaderSource(o, s);
      gl.compileShader(o);
      if (!gl.getShaderParameter(o, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(o));
      return o;
    };
    let prog = null;
    let fbo = null;
    let T = 0;
    window.setup = (fs, tile) => {
      prog = gl.createProgram();
      gl.attachShader(prog, sh(gl.VERTEX_SHADER, vs));
      gl.attachShader(prog, sh(gl.FRAGMENT_SHADER, fs));
      gl.bindAttribLocation(prog, 0, 'p');
      gl.linkProgram(prog);
      if (!gl.getProgramParameter(prog, gl.LINK_STATUS))
        throw new Error(gl.getProgramInfoLog(prog));
      gl.useProgram(prog);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      T = tile;
      const tex = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, tex);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, T, T);
      fbo = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, fbo);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, tex, 0);
      gl.viewport(0, 0, T, T);
    };
    // returns float tile (sum over samples / n) as base64 of Float32
    window.tile = (W, H, x0, y0, n, uni) => {
      const acc = new Float32Array(T * T * 4);
      const tmp = new Float32Array(T * T * 4);
      const U = (k) => gl.getUniformLocation(prog, k);
      gl.uniform2f(U('uRes'), W, H);
      gl.uniform2f(U('uOff'), x0, y0);
      for (const [k, v] of Object.entries(uni)) {
        const l = U(k);
        if (!l) continue;
        if (typeof v === 'number') gl.uniform1f(l, v);
        else if (v.type === 'mat3') gl.uniformMatrix3fv(l, false, v.data);
        else if (v.type) gl[`uniform${v.type}`](l, v.data);
        else gl[`uniform${v.length}f`](l, ...v);
      }
      for (let i = 0; i < n; i++) {
        // R2 low-discrepancy sequence
        const jx = (0.5 + i * 0.7548776662466927) % 1;
        const jy = (0.5 + i * 0.5698402909980532) % 1;
        gl.uniform2f(U('uJit'), jx - 0.5, jy - 0.5);
        gl.uniform1f(U('uSample'), i);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.readPixels(0, 0, T, T, gl.RGBA, gl.FLOAT, tmp);
        for (let k = 0; k < acc.length; k++) acc[k] += tmp[k];
      }
      for (let k = 0; k < acc.length; k++) acc[k] /= n;
      const b = new Uint8Array(acc.buffer);
      let s = '';
      const CH = 0x8000;
      for (let k = 0; k < b.length; k += CH)
        s += String.fromCharCode.apply(null, b.subarray(k, k + CH));
      return btoa(s);
    };
  });
  return {
    async render(fs, { width: W, height: H, samples = 1, tile = 256, uniforms = {}, label = '' }) {
      const tc = Date.now();
      await page.evaluate(([f, t]) => window.setup(f, t), [fs, tile]);
      if (label) console.log('compile', Date.now() - tc, 'ms');
      const out = new Float32Array(W * H * 4);
      const t0 = Date.now();
      for (let y = 0; y < H; y += tile) {
        for (let x = 0; x < W; x += tile) {
          const b64 = await page.evaluate(
            (a) => window.tile(...a),
            [W, H, x, y, samples, uniforms],
          );
          const buf = Buffer.from(b64, 'base64');
          const f = new Float32Array(buf.buffer, buf.byteOffset, tile * tile * 4);
          for (let j = 0; j < tile && y + j < H; j++) {
            const row = H - 1 - (y + j); // GL is bottom-up
            const w = Math.min(tile, W - x);
            out.set(f.subarray(j * tile * 4, (j * tile + w) * 4), (row * W + x) * 4);
          }
        }
        if (label)
          process.stdout.write(
            `\r${label} ${Math.min(100, Math.round(((y + tile) / H) * 100))}% ${((Date.now() - t0) / 1000).toFixed(0)}s `,
          );
      }
      if (label) process.stdout.write('\n');
      return out; // linear-light float RGBA, top-down
    },
    close: () => browser.close(),
  };
}
