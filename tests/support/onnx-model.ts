/** Small ONNX models, written field by field (onnx.proto): the brighter a pixel is, the more salient. */

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number) => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, content: readonly number[]) => [
  ...varint((field << 3) | 2),
  ...varint(content.length),
  ...content,
];
const text = (field: number, value: string) => bytes(field, [...Buffer.from(value)]);

/** A tensor of 32-bit floats. */
function tensor(name: string, shape: readonly number[]): number[] {
  const dimensions = shape.flatMap((size) => bytes(1, number(1, size)));
  const type = bytes(1, [...number(1, 1), ...bytes(2, dimensions)]);
  return [...text(1, name), ...bytes(2, type)];
}

const node = (kind: string, from: string, to: string, attributes: readonly number[] = []) =>
  bytes(1, [...text(1, from), ...text(2, to), ...text(4, kind), ...attributes]);

/**
 * A model whose answer is the sigmoid of the mean of the input's channels.
 * @param shape of its input; the answer has one channel
 */
export function brightnessModel(shape: readonly number[]): Buffer {
  const [pictures = 1, , ...sides] = shape;
  const channels = bytes(5, [...text(1, 'axes'), ...number(8, 1), ...number(20, 7)]);
  const kept = bytes(5, [...text(1, 'keepdims'), ...number(3, 1), ...number(20, 2)]);
  const graph = [
    ...node('ReduceMean', 'photo', 'mean', [...channels, ...kept]),
    ...node('Sigmoid', 'mean', 'mask'),
    ...text(2, 'brightness'),
    ...bytes(11, tensor('photo', shape)),
    ...bytes(12, tensor('mask', [pictures, 1, ...sides])),
  ];
  const opset = [...text(1, ''), ...number(2, 13)];
  return Buffer.from([...number(1, 7), ...bytes(7, graph), ...bytes(8, opset)]);
}
