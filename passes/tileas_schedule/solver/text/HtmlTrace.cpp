// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/tileas_schedule/solver/text/Trace.h"

#include <algorithm>
#include <map>

namespace tileir::schedule {

/// Width of the plot and of the names on its left, height of a row and of its
/// bar, in pixels.
static constexpr int kPlot = 1160, kNames = 150, kRow = 26, kBar = 20;
static constexpr int kTop = 24;
/// Width of one character in a bar, in pixels.
static constexpr int kCharacter = 7;
/// Larger problems get tables only.
static constexpr size_t kShownNodes = 1000;

static constexpr char kStyle[] = R"(
:root{color-scheme:light dark;--ink:#1c2128;--soft:#656d76;--line:#d0d7de;
--ghost:#d8dee4;--back:#fff;--steady:#eaf2fb;--mark:#0757b5}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#8d96a0;
--line:#3d444d;--ghost:#30363d;--back:#0d1117;--steady:#131d2b;--mark:#6cb0ff}}
body{font:14px/1.45 system-ui,sans-serif;color:var(--ink);
background:var(--back);margin:24px;max-width:1340px}
h1{font-size:20px;margin:0 0 4px}h2{font-size:17px;margin:32px 0 8px}
h3{font-size:14px;margin:20px 0 6px}p{margin:4px 0;color:var(--soft)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:2px 12px 2px 0;text-align:right;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:500}
th:first-child,td:first-child,.text{text-align:left}
.facts{display:flex;flex-wrap:wrap;gap:6px 28px;margin:8px 0}
.facts div{display:flex;flex-direction:column}
.facts span{color:var(--soft);font-size:12px}
.facts b{font-size:16px;font-variant-numeric:tabular-nums}
.binds b{color:var(--mark)}
.scroll{overflow-x:auto}
svg text{font:12px system-ui,sans-serif;fill:var(--ink)}
svg .axis{fill:var(--soft);font-size:11px}
svg .grid{stroke:var(--line)}
svg .interval{stroke:var(--soft);stroke-dasharray:4 3}
svg .steady{fill:var(--steady)}
svg .ghost{fill:var(--ghost)}
svg .in{fill:#14181d;font-size:11px}
svg .flow{fill:none;stroke:var(--ink);stroke-opacity:.55;stroke-width:1.2}
svg .carried{stroke-dasharray:5 3}
svg .head{fill:var(--ink);fill-opacity:.7}
details{margin:8px 0}summary{cursor:pointer;color:var(--soft)}
)";

static std::string escape(const std::string &text) {
  std::string out;
  for (char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  return out;
}

namespace {

/// The section of the page for one region.
class RegionPage {
public:
  RegionPage(const TraceRegion &region, int number, std::string &out)
      : region(region), problem(region.problem),
        schedule(region.result.schedule), number(number), out(out) {
    for (const Node &node : problem.nodes)
      for (const SlotUse &use : node.uses)
        rows.push_back(use.row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }

  void print();

private:
  void facts();
  void timeline();
  void body();
  void nodes();
  void values();
  void attempts();

  void fact(const std::string &name, const std::string &value,
            bool binds = false);
  void openPlot(Cycles length);
  void closePlot() {
    out += labels + "</svg></div>\n";
    labels.clear();
  }
  void bar(const SlotUse &use, Cycles start, int node, bool isGhost);
  void flow(const Edge &edge, int iteration);
  void flows();
  void axis(Cycles length);
  std::string rowTitle(Row row) const;
  std::string tip(int node) const;

  int64_t x(Cycles cycle) const {
    return kNames + cycle * kPlot / std::max<Cycles>(1, span);
  }
  int y(Row row) const {
    return kTop + kRow * int(std::lower_bound(rows.begin(), rows.end(), row) -
                             rows.begin());
  }
  int height() const { return kTop + kRow * int(rows.size()); }
  static std::string color(int node) {
    // Steps of the golden angle give neighbours distinct hues.
    return "hsl(" + std::to_string(node * 137 % 360) + " 65% 70%)";
  }
  static std::string num(int64_t n) { return std::to_string(n); }

  const TraceRegion &region;
  const Problem &problem;
  const Schedule &schedule;
  int number;
  std::string &out;
  std::vector<Row> rows;
  /// Cycles that the plot shows.
  Cycles span = 1;
  /// Names in bars, drawn on top.
  std::string labels;
};

} // namespace

std::string RegionPage::rowTitle(Row row) const {
  size_t agent = isAgentRow(row) ? row - kNumSlots : SIZE_MAX;
  if (agent < problem.agents.size())
    return "issue of " + problem.agents[agent].name;
  return nameOfRow(row);
}

std::string RegionPage::tip(int v) const {
  const Node &node = problem.nodes[v];
  std::string text = node.name;
  if (!node.op.empty())
    text += "  " + node.op;
  if (!node.atom.empty())
    text += "  " + node.atom;
  text += "\ncycle " + num(schedule.start[v]) + ", row " +
          num(schedule.rowOf(v)) + ", stage " + num(schedule.stage[v]) +
          ", place " + num(schedule.order[v]) + "\nlatency " +
          num(node.latency) + ", first use after " +
          num(actualLatency(region, v));
  if (!node.location.empty())
    text += "\n" + node.location;
  return "<title>" + escape(text) + "</title>";
}

void RegionPage::fact(const std::string &name, const std::string &value,
                      bool binds) {
  out += std::string("<div") + (binds ? " class=\"binds\"" : "") + "><span>" +
         escape(name) + (binds ? " (binds)" : "") + "</span><b>" +
         escape(value) + "</b></div>\n";
}

void RegionPage::facts() {
  const Result &result = region.result;
  const Bounds &bounds = result.bounds;
  out += "<div class=\"facts\">\n";
  if (result.isFeasible) {
    fact("II", num(schedule.ii));
    fact("stages", num(schedule.numStages));
    fact("pipeline depth", num(pipelineDepth(region)));
  }
  Cycles mii = bounds.mii();
  fact("resources", num(bounds.resource), bounds.resource == mii);
  fact("recurrences", num(bounds.recurrence), bounds.recurrence == mii);
  fact("bandwidth", num(bounds.fine), bounds.fine == mii);
  fact("depths", num(bounds.dependence), bounds.dependence == mii);
  fact("bound by", bounds.binding(problem));
  fact("generator", nameOf(result.generator));
  if (result.quantum > 1)
    fact("quantum", num(result.quantum));
  if (region.usage.sharedBytes)
    fact("shared memory", num(region.usage.sharedBytes) + " B");
  if (region.usage.tensorColumns)
    fact("tensor memory", num(region.usage.tensorColumns) + " columns");
  fact("rounds", num(region.constraintIterations));
  if (region.seed)
    fact("seed", std::to_string(*region.seed));
  out += "</div>\n";
  if (!result.reason.empty())
    out += "<p>" + escape(result.reason) + "</p>\n";
}

void RegionPage::openPlot(Cycles length) {
  span = length;
  int width = kNames + kPlot + 20;
  out += "<div class=\"scroll\"><svg width=\"" + num(width) + "\" height=\"" +
         num(height() + 12) + "\" viewBox=\"0 0 " + num(width) + " " +
         num(height() + 12) + "\" role=\"img\">\n";
}

void RegionPage::axis(Cycles length) {
  for (Row row : rows) {
    int top = y(row);
    out += "<line class=\"grid\" x1=\"0\" x2=\"" + num(kNames + kPlot) +
           "\" y1=\"" + num(top + kRow) + "\" y2=\"" + num(top + kRow) +
           "\"/><text x=\"0\" y=\"" + num(top + 17) + "\">" +
           escape(rowTitle(row)) + "</text>\n";
  }
  // About ten round numbers.
  Cycles step = 1;
  for (Cycles magnitude = 1; length / step > 12; magnitude *= 10)
    for (Cycles digit : {1, 2, 5})
      if (length / step > 12)
        step = magnitude * digit;
  for (Cycles cycle = 0; cycle <= length; cycle += step)
    out += "<text class=\"axis\" text-anchor=\"middle\" x=\"" + num(x(cycle)) +
           "\" y=\"14\">" + num(cycle) + "</text><line class=\"grid\" x1=\"" +
           num(x(cycle)) + "\" x2=\"" + num(x(cycle)) + "\" y1=\"18\" y2=\"" +
           num(kTop) + "\"/>\n";
}

void RegionPage::bar(const SlotUse &use, Cycles start, int node, bool isGhost) {
  int64_t left = x(start), right = x(start + use.duration);
  int64_t width = std::max<int64_t>(2, right - left - 1);
  int top = y(use.row) + (kRow - kBar) / 2;
  out += "<g>" + tip(node) + "<rect x=\"" + num(left) + "\" y=\"" + num(top) +
         "\" width=\"" + num(width) + "\" height=\"" + num(kBar) +
         "\" rx=\"3\" ";
  out += isGhost ? "class=\"ghost\"/>" : "fill=\"" + color(node) + "\"/>";
  const std::string &name = problem.nodes[node].name;
  if (!isGhost && width > int64_t(name.size()) * kCharacter + 4)
    labels += "<text class=\"in\" text-anchor=\"middle\" x=\"" +
              num(left + width / 2) + "\" y=\"" + num(top + 14) + "\">" +
              escape(name) + "</text>\n";
  out += "</g>\n";
}

/// Draws an arrow from the end of the producer's reservation to the start of
/// the reader's.
void RegionPage::flow(const Edge &edge, int iteration) {
  const std::vector<SlotUse> &from = problem.nodes[edge.from].uses;
  const std::vector<SlotUse> &to = problem.nodes[edge.to].uses;
  if (from.empty() || to.empty() || edge.from == edge.to)
    return;
  Cycles start = schedule.start[edge.from] + iteration * schedule.ii;
  Cycles end =
      schedule.start[edge.to] + (iteration + edge.distance) * schedule.ii;
  if (end > span)
    return;
  auto longest = [](const std::vector<SlotUse> &uses) {
    return *std::max_element(uses.begin(), uses.end(),
                             [](const SlotUse &a, const SlotUse &b) {
                               return a.duration < b.duration;
                             });
  };
  SlotUse first = longest(from), second = longest(to);
  int64_t x1 = x(std::min(start + first.offset + first.duration, end));
  int64_t x2 = x(end);
  int y1 = y(first.row) + kRow / 2, y2 = y(second.row) + kRow / 2;
  int64_t bend = std::max<int64_t>(16, (x2 - x1) / 2);
  std::string slack = num(end - start - edge.delay);
  out += "<g><title>" +
         escape(problem.nodes[edge.from].name + " to " +
                problem.nodes[edge.to].name + ": " + nameOf(edge.kind) +
                ", delay " + num(edge.delay) + ", distance " +
                num(edge.distance) + ", slack " + slack) +
         "</title><path class=\"flow" + (edge.distance ? " carried" : "") +
         "\" d=\"M" + num(x1) + " " + num(y1) + "C" + num(x1 + bend) + " " +
         num(y1) + " " + num(x2 - bend) + " " + num(y2) + " " + num(x2 - 5) +
         " " + num(y2) + "\"/><path class=\"head\" d=\"M" + num(x2) + " " +
         num(y2) + "l-6 -3v6z\"/></g>\n";
}

void RegionPage::timeline() {
  Cycles end = schedule.numStages * schedule.ii;
  for (size_t v = 0; v < problem.nodes.size(); ++v)
    for (const SlotUse &use : problem.nodes[v].uses)
      end = std::max(end, schedule.start[v] + use.offset + use.duration);
  out += "<h3>Iterations over time</h3>\n<p>One iteration is coloured, the "
         "others are grey; arrows are what it waits for, dashed across "
         "iterations. The shaded interval is the steady state.</p>\n";
  openPlot(end);
  int last = schedule.numStages - 1;
  int64_t left = x(last * schedule.ii);
  out += "<rect class=\"steady\" x=\"" + num(left) + "\" y=\"" + num(kTop) +
         "\" width=\"" + num(x((last + 1) * schedule.ii) - left) +
         "\" height=\"" + num(height() - kTop) + "\"/>\n";
  axis(end);
  for (Cycles at = 0; at <= end; at += schedule.ii)
    out += "<line class=\"interval\" x1=\"" + num(x(at)) + "\" x2=\"" +
           num(x(at)) + "\" y1=\"" + num(kTop) + "\" y2=\"" + num(height()) +
           "\"/>\n";
  for (int iteration = last; iteration >= 0; --iteration)
    for (size_t v = 0; v < problem.nodes.size(); ++v)
      for (SlotUse use : problem.nodes[v].uses) {
        Cycles start = schedule.start[v] + use.offset + iteration * schedule.ii;
        use.duration = std::min(use.duration, end - start);
        if (use.duration > 0)
          bar(use, start, int(v), iteration != 0);
      }
  flows();
  closePlot();
}

/// Draws arrows for values. Of the pure order edges of an operation, draws the
/// one with the least slack to an operation of its kind and the one to another
/// kind; the others follow from these.
void RegionPage::flows() {
  auto slack = [&](const Edge &edge) {
    return schedule.start[edge.to] + edge.distance * schedule.ii -
           schedule.start[edge.from] - edge.delay;
  };
  std::map<std::pair<int, bool>, const Edge *> tightest;
  for (const Edge &edge : problem.edges) {
    if (edge.kind == EdgeKind::Capacity || edge.kind == EdgeKind::Anti)
      continue;
    if (edge.kind == EdgeKind::Flow || edge.kind == EdgeKind::Accumulate) {
      flow(edge, 0);
      continue;
    }
    if (problem.nodes[edge.to].uses.empty() || edge.from == edge.to)
      continue;
    bool isOfKind = problem.nodes[edge.from].cls == problem.nodes[edge.to].cls;
    const Edge *&best = tightest[{edge.from, isOfKind}];
    if (!best || slack(edge) < slack(*best))
      best = &edge;
  }
  for (const auto &[key, edge] : tightest)
    flow(*edge, 0);
}

void RegionPage::body() {
  out += "<h3>The loop body</h3>\n<p>What each slot does in one interval of " +
         num(schedule.ii) + " cycles; a colour is an operation.</p>\n";
  openPlot(schedule.ii);
  axis(schedule.ii);
  for (size_t v = 0; v < problem.nodes.size(); ++v)
    for (SlotUse use : problem.nodes[v].uses) {
      Cycles row = (schedule.start[v] + use.offset) % schedule.ii;
      Cycles before = std::min(use.duration, schedule.ii - row);
      Cycles after = use.duration - before;
      use.duration = before;
      bar(use, row, int(v), false);
      use.duration = after;
      if (after > 0)
        bar(use, 0, int(v), false);
    }
  closePlot();
}

void RegionPage::nodes() {
  auto agentOf = [&](const Node &node) {
    return node.agent >= 0 && node.agent < int(problem.agents.size())
               ? problem.agents[node.agent].name
               : std::string();
  };
  // Empty columns are omitted.
  std::string agents, ops, places;
  for (const Node &node : problem.nodes) {
    agents += agentOf(node);
    ops += node.op;
    places += node.location;
  }
  auto textCell = [&](const std::string &all, const std::string &text,
                      const char *tag) {
    if (!all.empty())
      out += std::string("<") + tag + " class=\"text\">" + escape(text) + "</" +
             tag + ">";
  };
  out += "<h3>Operations</h3>\n<div class=\"scroll\"><table><tr><th>name</th>"
         "<th>cycle</th><th>row</th><th>stage</th><th>place</th><th>latency"
         "</th><th>first use</th>";
  textCell(agents, "agent", "th");
  textCell(ops, "operation", "th");
  textCell(places, "source", "th");
  out += "</tr>\n";
  for (size_t v = 0; v < problem.nodes.size(); ++v) {
    const Node &node = problem.nodes[v];
    out += "<tr><td>" + escape(node.name) + "</td>";
    for (int64_t number : {schedule.start[v], schedule.rowOf(int(v)),
                           Cycles(schedule.stage[v]), Cycles(schedule.order[v]),
                           node.latency, actualLatency(region, int(v))})
      out += "<td>" + num(number) + "</td>";
    textCell(agents, agentOf(node), "td");
    textCell(ops, node.op, "td");
    textCell(places, node.location, "td");
    out += "</tr>\n";
  }
  out += "</table></div>\n";
}

void RegionPage::values() {
  if (problem.values.empty())
    return;
  out += "<h3>Values</h3>\n<table><tr><th>name</th><th class=\"text\">storage"
         "</th><th>from</th><th>to</th><th>depth</th><th>bytes</th></tr>\n";
  for (size_t i = 0; i < problem.values.size(); ++i) {
    const Value &value = problem.values[i];
    const Lifetime &range = region.usage.lifetimes[i];
    out += "<tr><td>" + escape(value.name) + "</td><td class=\"text\">" +
           nameOf(value.storage) + "</td><td>" + num(range.acquire) +
           "</td><td>" + num(range.release) + "</td><td>" + num(range.depth) +
           "</td><td>" + num(value.bytes) + "</td></tr>\n";
  }
  out += "</table>\n";
}

void RegionPage::attempts() {
  const std::vector<Attempt> &all = region.result.attempts;
  if (all.empty())
    return;
  out += "<details><summary>" + num(int64_t(all.size())) +
         (all.size() == 1 ? " attempt" : " attempts") +
         "</summary>\n<table><tr><th>II</th><th class=\"text\">way"
         "</th><th class=\"text\">result</th><th>evictions</th></tr>\n";
  for (const Attempt &attempt : all)
    out += "<tr><td>" + num(attempt.ii) + "</td><td class=\"text\">" +
           nameOf(attempt.strategy) + "</td><td class=\"text\">" +
           (attempt.succeeded ? "ok" : "failed") + "</td><td>" +
           num(attempt.evictions) + "</td></tr>\n";
  out += "</table></details>\n";
}

void RegionPage::print() {
  out += "<section>\n";
  std::string where =
      region.location.empty() ? "" : " at " + escape(region.location);
  out += "<h3>Region " + num(number) + where + "</h3>\n";
  facts();
  if (region.result.isFeasible) {
    if (problem.nodes.size() <= kShownNodes) {
      timeline();
      body();
    }
    nodes();
    values();
  }
  attempts();
  out += "</section>\n";
}

std::string printHtmlTrace(const Trace &trace) {
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta "
                    "charset=\"utf-8\">\n<title>Schedules</title>\n<style>";
  out += kStyle;
  out += "</style>\n</head>\n<body>\n<h1>Schedules</h1>\n<p>" +
         escape(trace.target) + ", model version " +
         std::to_string(trace.modelVersion) + ", v2-opt-level " +
         std::to_string(trace.v2OptLevel) + "; times in cycles of an SM</p>\n";
  for (const TraceFunction &function : trace.functions) {
    out += "<h2>" + escape(function.name) + "</h2>\n";
    for (size_t i = 0; i < function.regions.size(); ++i)
      RegionPage(function.regions[i], int(i), out).print();
  }
  return out + "</body>\n</html>\n";
}

} // namespace tileir::schedule
