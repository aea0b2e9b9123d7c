/* Gradient boosted trees: tealeaves/learners/trees.py */

#include "native.h"

KERNEL(void, sum_in_bins, U8 bins, I64 drawn, I64 nodes, F64 residuals, Int first, Int width,
       Int size, BinSums *level)
{
    const BinSums to = *level;
    for (Int n = 0; n < drawn.size; n++) {
        Int row = AT(drawn, n);
        Int node = AT(nodes, row) - first;
        if (node < 0)
            continue;
        double residual = AT(residuals, row);
        for (Int feature = 0; feature < width; feature++) {
            Int cell = (node * width + feature) * size + AT(bins, row * width + feature);
            AT(to.sums, cell) += residual;
            AT(to.counts, cell) += 1;
        }
    }
}

KERNEL(void, step_down, U8 bins, I64 nodes, Int width, I64 features, I64 cuts, I64 left, I64 right)
{
    for (Int row = 0; row < nodes.size; row++) {
        Int node = AT(nodes, row);
        Int feature = AT(features, node);
        if (feature >= 0)
            AT(nodes, row) = AT(bins, row * width + feature) <= AT(cuts, node) ? AT(left, node)
                                                                              : AT(right, node);
    }
}

KERNEL(void, add_leaves, F64 rows, Int width, I64 roots, TreeNodes *nodes, F64 predictions)
{
    const TreeNodes trees = *nodes;
    for (Int row = 0; row < predictions.size; row++) {
        double total = AT(predictions, row);
        for (Int tree = 0; tree < roots.size; tree++) {
            Int root = AT(roots, tree), node = root;
            while (AT(trees.features, node) >= 0) {
                double value = AT(rows, row * width + AT(trees.features, node));
                int goes_left = value <= AT(trees.thresholds, node);
                node = root + (goes_left ? AT(trees.left, node) : AT(trees.right, node));
            }
            total += AT(trees.values, node);
        }
        AT(predictions, row) = total;
    }
}
