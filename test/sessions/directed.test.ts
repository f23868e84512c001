import { expect, it } from 'vitest';
import { DIRECTED, runDirected } from './directed.ts';
import { product } from './sim/product.ts';

it.each(DIRECTED)('holds when $name', async (directed) => {
  const { violation, world } = await runDirected(product, directed);
  expect(violation).toBeUndefined();
  expect(world.model.records()).toHaveLength(directed.jobs);
});
