// Runs in the page, not in Node: draws one tile of a fragment shader and hands back its pixels.
const gl = document
  .createElement('canvas')
  .getContext('webgl2', { antialias: false, alpha: true, premultipliedAlpha: true });
gl.getExtension('EXT_color_buffer_float');
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);

const wholeScreen = '#version 300 es\nin vec2 p;void main(){gl_Position=vec4(p,0.,1.);}';
let program = null;
let tile = 0;

function compile(kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
    throw new Error(gl.getShaderInfoLog(shader));
  return shader;
}

window.useShader = (source, tileSize) => {
  program = gl.createProgram();
  gl.attachShader(program, compile(gl.VERTEX_SHADER, wholeScreen));
  gl.attachShader(program, compile(gl.FRAGMENT_SHADER, source));
  gl.bindAttribLocation(program, 0, 'p');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  tile = tileSize;
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, tile, tile);
  const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.viewport(0, 0, tile, tile);
};

function setUniform(name, value) {
  const place = gl.getUniformLocation(program, name);
  if (!place) return;
  if (typeof value === 'number') gl.uniform1f(place, value);
  else if (value.type === 'mat3') gl.uniformMatrix3fv(place, false, value.data);
  else if (value.type === 'vec4') gl.uniform4fv(place, value.data);
  else gl[`uniform${value.length}f`](place, ...value);
}

/** The mean of all samples, as base64 of 32-bit floats. */
window.drawTile = ({ size, offset, samples, uniforms }) => {
  const sum = new Float32Array(tile * tile * 4);
  const drawn = new Float32Array(tile * tile * 4);
  setUniform('uRes', size);
  setUniform('uOff', offset);
  for (const [name, value] of Object.entries(uniforms)) setUniform(name, value);
  for (let sample = 0; sample < samples; sample++) {
    // The R2 sequence spreads samples evenly, however many there are.
    const x = (0.5 + sample * 0.7548776662466927) % 1;
    const y = (0.5 + sample * 0.5698402909980532) % 1;
    setUniform('uJit', [x - 0.5, y - 0.5]);
    setUniform('uSample', sample);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.readPixels(0, 0, tile, tile, gl.RGBA, gl.FLOAT, drawn);
    for (let k = 0; k < sum.length; k++) sum[k] += drawn[k] / samples;
  }
  const bytes = new Uint8Array(sum.buffer);
  let text = '';
  // String.fromCharCode takes its bytes as arguments, and their number is limited.
  for (let k = 0; k < bytes.length; k += 0x8000)
    text += String.fromCharCode.apply(null, bytes.subarray(k, k + 0x8000));
  return btoa(text);
};
