import type { Db } from '../../src/storage/index.ts';
import { allColumns } from '../support/all-columns.ts';
import type { BuiltChild } from './build-child.ts';
import { Deployment } from './deployment.ts';
import type { Flow } from './flow.ts';
import { type Background, type Exchange, type Moment, nameOf, type Point } from './gate.ts';
import { cardNumbersLeft } from './card-numbers-left.ts';
import { lostMoney, readLeft, wrongWith } from './verdict.ts';

/** After so many failures the rest would say the same. */
const ENOUGH = 5;
/** Payments that are made to come to one point: where much else runs, notifications that are read in one go came three times in a row. */
const MOST_PAYMENTS = 10;

export interface Series {
  /** The points that there are, and at how many of them it was killed. */
  readonly points: readonly Point[];
  readonly tried: number;
  readonly failures: readonly string[];
}

/**
 * The moments of an exchange. A statement that only looks for something to do is one when it found it. A read changes nothing, so that
 * before it, in it and after it nothing differs: a flow may have it once.
 */
function momentsOf({ link, what }: Exchange, { quiet }: Background, wire: boolean, flow: Flow): readonly Moment[] {
  if (link !== 'database') return ['before', 'done', 'answered', 'cut'];
  const isOnce = quiet.includes(what) || (flow.readsOnce === true && /^select /i.test(what));
  if (isOnce) return wire ? ['done', 'cut'] : ['done'];
  return wire ? ['before', 'sent', 'done', 'cut'] : ['before', 'done'];
}

/**
 * Pays twice to count the points, then once for each chosen point, killed there. At the end the providers' ledgers, the database and what
 * the merchant was told are compared, order by order.
 */
export async function crashSeries(
  built: BuiltChild,
  flow: Flow,
  background: Background,
  choose: (points: readonly Point[]) => readonly Point[],
): Promise<Series> {
  const deployment = await Deployment.start(built);
  try {
    const orders = new Map<string, Point | undefined>();
    const points = await countPoints(deployment, flow, background, orders);
    const chosen = choose(points);
    const failures: string[] = [];
    for (const point of chosen) {
      if (failures.length >= ENOUGH) break;
      const failure = await payUntil(deployment, flow, background, point, orders);
      if (failure !== undefined) failures.push(`${nameOf(point)}: ${failure}`);
    }
    await deployment.rest();
    failures.push(...deployment.service.troubles);
    const { code, found } = await deployment.stopAndRead(readAll);
    if (code !== 0) failures.push(`The service ended with ${String(code)}`);
    for (const [order, point] of orders) {
      const mayBeLeft = flow.hasCode === true && point !== undefined && point.moment !== 'cut';
      const wrong = wrongWith(flow.expects(order), found.left, deployment.outside, mayBeLeft);
      failures.push(...wrong.map((each) => `${point === undefined ? 'not killed' : nameOf(point)}: ${each}`));
    }
    failures.push(...lostMoney(found.left, deployment.outside));
    failures.push(...cardNumbersLeft(found.columns, deployment.service.output, deployment.outside.shop.received));
    return { points, tried: chosen.length, failures };
  } finally {
    await deployment.end();
  }
}

const readAll = async (db: Db) => ({ left: await readLeft(db), columns: await allColumns(db) });

/** What passes both of two times: a chore that came by chance is no part of a payment. */
async function countPoints(
  deployment: Deployment,
  flow: Flow,
  background: Background,
  orders: Map<string, Point | undefined>,
): Promise<readonly Point[]> {
  const nameIn = ({ link, what, nth }: Exchange) => `${link} ${nth} ${what}`;
  const passes: (readonly Exchange[])[] = [];
  while (passes.length < 2) {
    const body = flow.body();
    orders.set(body.order.number, undefined);
    await flow.prepare?.(deployment, body);
    await deployment.quiet();
    await deployment.mark(background);
    await flow.pay(deployment, body);
    await deployment.quiet();
    passes.push(deployment.exchanges);
  }
  const [first = [], second = []] = passes;
  const again = new Set(second.map(nameIn));
  return first
    .filter((exchange) => again.has(nameIn(exchange)))
    .flatMap((exchange) =>
      momentsOf(exchange, background, deployment.onServer, flow).map((moment): Point => ({ ...exchange, moment })),
    )
    .filter((point) => flow.at?.(point) ?? true);
}

/** Pays until a payment comes to the point: on a busy machine two notifications may be read in one go, and a statement comes once less. */
async function payUntil(
  deployment: Deployment,
  flow: Flow,
  background: Background,
  point: Point,
  orders: Map<string, Point | undefined>,
): Promise<string | undefined> {
  for (let payment = 0; payment < MOST_PAYMENTS; payment += 1) {
    const body = flow.body();
    orders.set(body.order.number, point);
    const result = await payAt(deployment, flow, body, background, point);
    if (result !== 'missed') return result;
  }
  return `None of ${MOST_PAYMENTS} payments came to the point.`;
}

/** @returns why it failed, nothing where the service was killed at the point, or that the payment never came to it */
async function payAt(
  deployment: Deployment,
  flow: Flow,
  body: ReturnType<Flow['body']>,
  background: Background,
  point: Point,
): Promise<string | undefined> {
  try {
    await flow.prepare?.(deployment, body);
    await deployment.quiet();
    await deployment.mark(background, point);
    await flow.pay(deployment, body);
    const fired = await deployment.fired();
    await deployment.quiet();
    return fired ? undefined : 'missed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
