// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <charconv>
#include <cstdint>

#include "Tool.hpp"

namespace Kast::Tool {
namespace {

std::string spelled(std::string_view name) { return (name.size() == 1 ? "-" : "--") + std::string(name); }

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

}  // namespace

Arguments::Arguments(std::vector<std::string> words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes != words.end()) m_after_dashes.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
  for (std::string& word : words) {
    (word.starts_with("--kokkos-") ? m_for_kokkos : m_words).push_back(std::move(word));
  }
}

std::optional<std::string> Arguments::option(std::string_view name) {
  const std::string word = spelled(name);
  std::optional<std::string> value;
  for (std::size_t i = 0; i < m_words.size();) {
    const bool joined = name.size() > 1 && m_words[i].starts_with(word + "=");
    if (m_words[i] != word && !joined) {
      ++i;
      continue;
    }
    if (value) throw UsageError{word + " is given twice"};
    if (!joined && i + 1 == m_words.size()) throw UsageError{word + " needs a value"};
    value = joined ? m_words[i].substr(word.size() + 1) : m_words[i + 1];
    m_words.erase(m_words.begin() + i, m_words.begin() + i + (joined ? 1 : 2));
  }
  return value;
}

std::string Arguments::required(std::string_view name) {
  const auto value = option(name);
  if (!value) throw UsageError{spelled(name) + " is missing"};
  if (value->empty()) throw UsageError{spelled(name) + " needs a value"};
  return *value;
}

bool Arguments::flag(std::string_view name) { return std::erase(m_words, spelled(name)) > 0; }

std::vector<std::string> Arguments::positionals() {
  for (const std::string& word : m_words) {
    if (is_option(word)) throw UsageError{"unknown option " + word};
  }
  std::vector<std::string> words = std::move(m_words);
  words.insert(words.end(), m_after_dashes.begin(), m_after_dashes.end());
  return words;
}

Extents parse_shape(std::string_view text) {
  const std::string whole(text);
  Extents extents;
  if (text == "scalar") return extents;
  for (bool more = true; more;) {
    std::size_t extent      = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    const std::size_t used  = std::size_t(end - text.data());
    more                    = used < text.size();
    const bool fits         = error == std::errc() && extent <= std::size_t(PTRDIFF_MAX);
    if (!fits || (more && (text[used] != 'x' || used + 1 == text.size()))) {
      throw UsageError{"'" + whole + "' is no shape; shapes look like 100x4000x5, 7, 0x3 or scalar"};
    }
    if (extents.rank() == max_rank) throw UsageError{"'" + whole + "' has more than 8 axes"};
    extents.push_back(extent);
    text.remove_prefix(more ? used + 1 : used);
  }
  return extents;
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(separator)) + word;
  return text;
}

}  // namespace Kast::Tool
