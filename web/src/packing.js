// Named arrays in one block of bytes; the format is described in src/trundle/view/packing.py.

const TYPES = {
  f4: Float32Array, f8: Float64Array, i2: Int16Array, i4: Int32Array,
  u1: Uint8Array, u2: Uint16Array, u4: Uint32Array,
};

export function unpack(buffer) {
  const start = new TextDecoder().decode(new Uint8Array(buffer, 0, Math.min(8, buffer.byteLength)));
  if (start !== "TRUNDLE1") throw new Error("the data is damaged: it does not begin with TRUNDLE1");
  const length = new DataView(buffer).getUint32(8, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, length)));
  const arrays = {};
  for (const [name, kind, shape, offset] of head.arrays) {
    const count = shape.reduce((a, b) => a * b, 1);
    arrays[name] = new TYPES[kind](buffer, 12 + length + offset, count);
  }
  return { meta: head.meta, arrays, bytes: buffer.byteLength };
}
