/* The probabilities of links: tealeaves/lexicon/alignment/kernels/posteriors.py
 *
 * alignment.c includes this file once for each set of instructions. Rows have a word each, with its
 * states (in IBM model 1 a state, with its words), so that neighbours are computed together. The
 * sums are those of Python, in the same order. Where a sum has fewer terms at the edges of a
 * passage, zeros are added instead.
 */

#define exponentials VARIANT(exponentials)
#define read_logs VARIANT(read_logs)
#define write_links VARIANT(write_links)
#define add_windows VARIANT(add_windows)
#define count_windows VARIANT(count_windows)
#define add_up VARIANT(add_up)
#define expect_by_words VARIANT(expect_by_words)
#define share_out VARIANT(share_out)
#define go_forward VARIANT(go_forward)
#define go_backward VARIANT(go_backward)
#define expect_by_jumps VARIANT(expect_by_jumps)
#define expect_one_way VARIANT(expect_one_way)
#define expect_passages VARIANT(expect_passages)

/* Write e to the power of some values. */
static void exponentials(Int count, const float *restrict values, double *restrict results)
{
    for (Int k = 0; k < count; k++) {
        double steps = values[k] * STEPS_OF_E, whole = steps + ROUNDING;
        uint64_t number, bits;
        memcpy(&number, &whole, 8);
        memcpy(&bits, &POWERS[number % 32], 8);
        bits += number >> 5 << 52;
        double power, rest = steps - (whole - ROUNDING);
        memcpy(&power, &bits, 8);
        double higher = (CUBE * rest + SQUARE) * (rest * rest);
        results[k] = (float)((higher + (LINE * rest + 1.0)) * power);
    }
}

/* Write the probabilities of words to rows; turned, source words are in columns. */
static void read_logs(F32 logs, Int cell, Shape shape, int turned, Room *room)
{
    for (Int source = 0; source < shape.sources; source++, cell += shape.targets) {
        CHECK_WIDTH(logs, cell, shape.targets);
        double *row = turned ? room->line.at : &AT(room->emissions, source * room->stride);
        CHECK_WIDTH(room->line, 0, shape.targets);
        exponentials(shape.targets, logs.at + cell, row);
        if (turned)
            for (Int target = 0; target < shape.targets; target++)
                AT(room->emissions, target * room->stride + source) = row[target];
    }
}

/* Write the probabilities of links, which are where those of words were. */
static void write_links(F32 links, Int cell, Shape shape, int turned, const Room *room)
{
    F64 rows = room->emissions;
    Int stride = room->stride;
    for (Int source = 0; source < shape.sources; source++, cell += shape.targets) {
        CHECK_WIDTH(links, cell, shape.targets);
        float *restrict to = links.at + cell;
        if (turned)
            for (Int target = 0; target < shape.targets; target++)
                to[target] = (float)AT(rows, target * stride + source);
        else
            for (Int target = 0; target < shape.targets; target++)
                to[target] = (float)AT(rows, source * stride + target);
    }
}

/* Write the probabilities of links in IBM model 1; rows are states. */
static void expect_by_words(Int states, Int words, double alone, F64 null, Room *room)
{
    double share = (1.0 - alone) / (double)states;
    CHECK_WIDTH(room->line, 0, words);
    CHECK_WIDTH(null, 0, words);
    CHECK_WIDTH(room->emissions, 0, (states - 1) * room->stride + words);
    double *restrict totals = room->line.at;
    for (Int word = 0; word < words; word++)
        totals[word] = alone * null.at[word];
    for (Int state = 0; state < states; state++) {
        const double *restrict row = room->emissions.at + state * room->stride;
        for (Int word = 0; word < words; word++)
            totals[word] += share * row[word];
    }
    for (Int state = 0; state < states; state++) {
        double *restrict row = room->emissions.at + state * room->stride;
        for (Int word = 0; word < words; word++)
            row[word] = share * row[word] / totals[word];
    }
}

/* Add to each sum the products of factors and the values from its place on. */
static void add_windows(Int count, F64 values, F64 factors, F64 sums)
{
    for (Int k = 0; k < count; k += 2 * LANES) {
        CHECK_WIDTH(sums, k, 2 * LANES);
        CHECK_WIDTH(values, k, factors.size + 2 * LANES - 1);
        Lanes *result = (Lanes *)(sums.at + k), first = result[0], second = result[1];
        for (Int n = 0; n < factors.size; n++) {
            const Lanes *from = (const Lanes *)(values.at + k + n);
            first += from[0] * factors.at[n];
            second += from[1] * factors.at[n];
        }
        result[0] = first, result[1] = second;
    }
}

/* Add, place by place, what is left by each jump to its count. */
static void count_windows(Int places, F64 masses, F64 values, F64 factors, F64 counts)
{
    CHECK_WIDTH(masses, 0, places);
    for (Int n = 0; n < factors.size; n += 3 * LANES) {
        CHECK_WIDTH(factors, n, 3 * LANES);
        CHECK_WIDTH(counts, n, 3 * LANES);
        CHECK_WIDTH(values, n, places - 1 + 3 * LANES);
        const Lanes *factor = (const Lanes *)(factors.at + n);
        Lanes *count = (Lanes *)(counts.at + n);
        Lanes first = count[0], second = count[1], third = count[2];
        for (Int place = 0; place < places; place++) {
            const Lanes *from = (const Lanes *)(values.at + place + n);
            double mass = masses.at[place];
            first += factor[0] * from[0] * mass;
            second += factor[1] * from[1] * mass;
            third += factor[2] * from[2] * mass;
        }
        count[0] = first, count[1] = second, count[2] = third;
    }
}

/* Write cumulative sums, with ``reach`` times the first before them and the last after them. */
static double add_up(Int count, Int reach, F64 values, F64 sums)
{
    CHECK_WIDTH(values, 0, count);
    CHECK_WIDTH(sums, 0, count + 1 + 2 * reach);
    double total = 0.0;
    for (Int k = 0; k <= reach; k++)
        sums.at[k] = 0.0;
    for (Int k = 0; k < count; k++)
        sums.at[reach + 1 + k] = total += values.at[k];
    for (Int k = 0; k < reach; k++)
        sums.at[reach + 1 + count + k] = total;
    return total;
}

/* Write the factors that make probabilities of the weights of jumps from each place. */
static void share_out(Int states, double alone, F64 jumps, Room *room)
{
    Int reach = jumps.size / 2, width = states + 1;
    F64 weights = room->weights, ones = room->ones, totals = room->line;
    for (Int k = 0; k < 2 * states; k++)
        AT(weights, k) = AT(jumps, most(-reach, least(reach, k + 1 - states)) + reach);
    for (Int k = 2 * states; k < room->weights.size; k++)
        AT(weights, k) = 0.0;
    for (Int k = 0; k < states; k++)
        AT(ones, k) = 1.0;
    for (Int place = 0; place < room->stride; place++)
        AT(totals, place) = 0.0;
    add_windows(width, weights, part(ones, 0, states), totals);
    for (Int place = 0; place < width; place++)
        AT(room->shares, place) = (1.0 - alone) / AT(totals, states - place);
}

/* Write the forward probabilities: of places before each word, and of reaching each state. */
static void go_forward(Int states, Int words, double alone, F64 null, F64 jumps, Room *room)
{
    Int reach = jumps.size / 2, width = states + 1, stride = room->stride;
    double far_ahead = AT(jumps, 2 * reach), far_back = AT(jumps, 0);
    F64 leaving = part(room->leaving, reach, width);
    CHECK_WIDTH(room->sums, 0, width + 1 + 2 * reach);
    const double *restrict sums = room->sums.at, *restrict shares = room->shares.at;
    CHECK_WIDTH(room->shares, 0, width);
    memset(room->alpha.at, 0, (size_t)width * sizeof(double));
    AT(room->alpha, 0) = 1.0;
    for (Int word = 0; word < words; word++) {
        const double *restrict now = part(room->alpha, word * stride, width).at;
        double *restrict after = part(room->alpha, (word + 1) * stride, width).at;
        const double *restrict emissions = part(room->emissions, word * stride, states).at;
        F64 row = part(room->arrivals, word * stride, stride);
        double *restrict arrivals = row.at, *restrict left = leaving.at;
        for (Int place = 0; place < width; place++)
            left[place] = now[place] * shares[place];
        double all = add_up(width, reach, leaving, room->sums);
        for (Int state = 0; state < states; state++)
            arrivals[state] =
                far_ahead * sums[state + 2] + far_back * (all - sums[state + 1 + 2 * reach]);
        for (Int state = states; state < stride; state++)
            arrivals[state] = 0.0;
        add_windows(states, part(room->leaving, 2, room->leaving.size - 2), room->behind, row);
        double stay = alone * AT(null, word), total = now[0] * stay;
        after[0] = total;
        for (Int state = 0; state < states; state++)
            after[state + 1] = arrivals[state] * emissions[state] + now[state + 1] * stay;
        for (Int state = 0; state < states; state++)
            total += after[state + 1];
        AT(room->scales, word) = total;
        for (Int place = 0; place < width; place++)
            after[place] /= total;
    }
}

/* Write the probabilities of links over those of words; add those of jumps to their counts. */
static void go_backward(Int states, Int words, double alone, F64 null, Direction *way, Room *room)
{
    F64 jumps = way->jumps, counts = way->counts;
    Int reach = jumps.size / 2, width = states + 1, stride = room->stride;
    double far_ahead = AT(jumps, 2 * reach), far_back = AT(jumps, 0);
    double counted_ahead = AT(counts, 2 * reach), counted_back = AT(counts, 0);
    F64 reached = part(room->reached, reach, states);
    const double *restrict sums = part(room->sums, 0, width + 2 * reach).at;
    const double *restrict shares = part(room->shares, 0, width).at;
    double *restrict beta = part(room->beta, 0, width).at;
    double *restrict masses = part(room->masses, 0, width).at;
    double *restrict left = part(room->line, 0, stride).at;
    double *restrict ahead = part(room->ahead, 0, width).at;
    double *restrict back = part(room->back, 0, width).at;
    for (Int place = 0; place < width; place++)
        beta[place] = 1.0;
    for (Int place = width; place < stride; place++)
        left[place] = 0.0;
    for (Int word = words - 1; word >= 0; word--) {
        double scale = AT(room->scales, word), stay = alone * AT(null, word);
        const double *restrict alpha = part(room->alpha, word * stride, width).at;
        const double *restrict arrivals = part(room->arrivals, word * stride, states).at;
        double *restrict row = part(room->emissions, word * stride, states).at;
        double *restrict to = reached.at;
        for (Int state = 0; state < states; state++) {
            to[state] = row[state] * beta[state + 1] / scale;
            row[state] = arrivals[state] * to[state];
        }
        double all = add_up(states, reach, reached, room->sums);
        for (Int place = 0; place < width; place++) {
            masses[place] = alpha[place] * shares[place];
            back[place] = far_back * sums[place];
            ahead[place] = far_ahead * (all - sums[place + 2 * reach - 1]);
            left[place] = back[place] + ahead[place];
        }
        for (Int place = 0; place < width; place++) {
            counted_back += masses[place] * back[place];
            counted_ahead += masses[place] * ahead[place];
        }
        add_windows(width, room->reached, part(room->jumps, 0, 2 * reach - 1), room->line);
        count_windows(width, room->masses, room->reached, room->jumps, room->counts);
        for (Int place = 0; place < width; place++)
            beta[place] = beta[place] * stay / scale + shares[place] * left[place];
    }
    AT(counts, 2 * reach) = counted_ahead;
    AT(counts, 0) = counted_back;
}

/* Write the probabilities of links in the hidden Markov model; rows are words. */
static void expect_by_jumps(Int states, Int words, double alone, F64 null, Direction *way,
                            Room *room)
{
    Int reach = way->jumps.size / 2, size = 2 * reach - 1;
    for (Int k = 0; k < size; k++) {
        AT(room->jumps, k) = AT(way->jumps, k + 1);
        AT(room->behind, k) = AT(way->jumps, size - k);
        AT(room->counts, k) = AT(way->counts, k + 1);
    }
    for (Int k = size; k < room->jumps.size; k++)
        AT(room->jumps, k) = AT(room->counts, k) = 0.0;
    memset(room->leaving.at, 0, (size_t)room->leaving.size * sizeof(double));
    memset(room->reached.at, 0, (size_t)room->reached.size * sizeof(double));
    share_out(states, alone, way->jumps, room);
    go_forward(states, words, alone, null, way->jumps, room);
    go_backward(states, words, alone, null, way, room);
    for (Int k = 0; k < size; k++)
        AT(way->counts, k + 1) = AT(room->counts, k);
}

/* Write the probabilities of the links of a passage in one direction. */
static void expect_one_way(Shape shape, Int cell, Int word, int reversed, double alone,
                           Direction *way, F64 work)
{
    Int states = reversed ? shape.targets : shape.sources;
    Int words = reversed ? shape.sources : shape.targets;
    int by_words = way->jumps.size == 0, turned = by_words == reversed;
    Room room = divided(work, states, words, way->jumps.size);
    read_logs(way->logs, cell, shape, turned, &room);
    F64 null = part(way->null, word, words);
    if (by_words)
        expect_by_words(states, words, alone, null, &room);
    else
        expect_by_jumps(states, words, alone, null, way, &room);
    write_links(way->links, cell, shape, turned, &room);
}

static void expect_passages(double alone, const PassageStarts *passages, Direction *forward,
                            Direction *backward, F64 work)
{
    I64 source = passages->source, target = passages->target;
    Int cell = 0;
    for (Int row = 0; row + 1 < source.size; row++) {
        Int sources = AT(source, row + 1) - AT(source, row);
        Int targets = AT(target, row + 1) - AT(target, row);
        Shape shape = {sources, targets};
        if (sources * targets == 0)
            continue;
        expect_one_way(shape, cell, AT(target, row) - AT(target, 0), 0, alone, forward, work);
        expect_one_way(shape, cell, AT(source, row) - AT(source, 0), 1, alone, backward, work);
        cell += sources * targets;
    }
}

#undef exponentials
#undef read_logs
#undef write_links
#undef add_windows
#undef count_windows
#undef add_up
#undef expect_by_words
#undef share_out
#undef go_forward
#undef go_backward
#undef expect_by_jumps
#undef expect_one_way
#undef expect_passages
