import { exploreRandom } from './explore-random.ts';
import { product } from './sim/product.ts';

const [runs = '1000', seed = '1'] = process.argv.slice(2);
const result = await exploreRandom(product, { runs: Number(runs), seed: Number(seed), shrink: true });
process.stdout.write(`${JSON.stringify({ ...result, hits: Object.fromEntries(result.hits) })}\n`);
